#!/bin/sh
# Prints the section of a version in CHANGELOG.md. Fails if there is none.
#
#   tools/release-notes.sh 1.2.3
set -eu
awk -v heading="## [$1]" '
  /^## / { printing = index($0, heading) == 1; found = found || printing; next }
  printing { print }
  END { exit !found }
' "$(dirname "$0")/../CHANGELOG.md"
