#!/usr/bin/env bash
# Shows that the dependency rules can fail: a copy of the source with one forbidden import must be refused by name.
set -euo pipefail
cd "$(dirname "$0")/.."
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
cp -r source package.json tsconfig.json .dependency-cruiser.cjs "$copy/"
ln -s "$PWD/node_modules" "$copy/node_modules"
printf "import { decide } from '../compare/gate.js';\nexport const planted = decide;\n" > "$copy/source/base/planted.ts"
printf "import { planted } from './planted.js';\nexport const used = planted;\n" > "$copy/source/base/uses-planted.ts"
if output=$(cd "$copy" && npx --no-install depcruise --config .dependency-cruiser.cjs source 2>&1); then
  echo 'the planted violation was not found' >&2
  exit 1
fi
if ! grep -q 'base-imports-only-from-above' <<<"$output"; then
  echo 'the rules failed for another reason than the planted violation:' >&2
  echo "$output" >&2
  exit 1
fi
echo 'a planted violation is refused'
