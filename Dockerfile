# The build stage installs everything, builds the dashboard, and selects what the gateway needs.
FROM node:26-bookworm AS build
WORKDIR /build
COPY . .
RUN npm ci --no-progress && deploy/image-tree.sh /image

# Node is a file of the tree, from the lockfile as on every other machine.
FROM debian:bookworm-slim
RUN apt-get update \
  && apt-get install -y --no-install-recommends ca-certificates \
  && rm -rf /var/lib/apt/lists/* \
  && useradd --system --uid 10001 --user-group --no-create-home vereda \
  && install -d -o vereda -g vereda /var/lib/vereda
COPY --from=build /image /opt/vereda
WORKDIR /opt/vereda
# Run it with a read-only root file system: it writes to DATA_DIR only, and in production nothing at all.
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080 DATA_DIR=/var/lib/vereda
USER 10001:10001
EXPOSE 8080
# start, api, worker, migrate, ledger-check, …
ENTRYPOINT ["/opt/vereda/bin/node", "--max-semi-space-size=24", "--heap-growing-percent=100", "--no-parallel-scavenge", "--v8-pool-size=1", "--no-allocation-site-pretenuring", "/opt/vereda/src/main.ts"]
CMD ["start"]
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["/opt/vereda/bin/node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/v1/health/live`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
