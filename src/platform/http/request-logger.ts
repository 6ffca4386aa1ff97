import type { FastifyBaseLogger } from 'fastify';

type Bindings = Parameters<FastifyBaseLogger['child']>[0];
type Options = Parameters<FastifyBaseLogger['child']>[1];
type LogArguments = Parameters<FastifyBaseLogger['info']>;

/**
 * The logger of one request, created on its first line. Most requests log nothing, and creating the
 * child logger would take 5 % of their processing time.
 */
export class RequestLogger implements FastifyBaseLogger {
  readonly #parent: FastifyBaseLogger;
  readonly #bindings: Bindings;
  readonly #options: Options;
  #child: FastifyBaseLogger | undefined;

  constructor(parent: FastifyBaseLogger, bindings: Bindings, options: Options) {
    this.#parent = parent;
    this.#bindings = bindings;
    this.#options = options;
  }

  get level(): string {
    return this.#parent.level;
  }

  get #logger(): FastifyBaseLogger {
    this.#child ??= this.#parent.child(this.#bindings, this.#options);
    return this.#child;
  }

  trace(...line: LogArguments): void {
    this.#logger.trace(...line);
  }
  debug(...line: LogArguments): void {
    this.#logger.debug(...line);
  }
  info(...line: LogArguments): void {
    this.#logger.info(...line);
  }
  warn(...line: LogArguments): void {
    this.#logger.warn(...line);
  }
  error(...line: LogArguments): void {
    this.#logger.error(...line);
  }
  fatal(...line: LogArguments): void {
    this.#logger.fatal(...line);
  }
  silent(): void {}

  child(bindings: Bindings, options?: Options): FastifyBaseLogger {
    return this.#logger.child(bindings, options);
  }
}
