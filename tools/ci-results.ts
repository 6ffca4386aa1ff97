import { readFileSync } from 'node:fs';
import { relative } from 'node:path';

/**
 * Reads the JSON reports of test runs.
 *
 * - `files REPORT` prints the files that failed, a line each.
 * - `counts REPORT...` prints the numbers of tests that passed and failed. A file that is in
 *   `again.json` counts with that run.
 */

interface FileResult {
  readonly name: string;
  readonly status: string;
  readonly assertionResults: readonly { readonly status: string }[];
}

function readReport(path: string): readonly FileResult[] {
  const { testResults }: { readonly testResults: readonly FileResult[] } = JSON.parse(
    readFileSync(path, 'utf8'),
  );
  return testResults;
}

function countOf({ status, assertionResults }: FileResult): { passed: number; failed: number } {
  const passed = assertionResults.filter((test) => test.status === 'passed').length;
  const failed = assertionResults.filter((test) => test.status === 'failed').length;
  // A file that could not be loaded has no tests to count, so it counts itself.
  return { passed, failed: status === 'failed' ? Math.max(failed, 1) : failed };
}

const [command, ...paths] = process.argv.slice(2);
// `again.json` comes before `all.json`, so the first result of a file is its last.
const files = new Map<string, FileResult>();
for (const path of paths.toSorted())
  for (const file of readReport(path)) if (!files.has(file.name)) files.set(file.name, file);

if (command === 'files') {
  for (const { name, status } of files.values())
    if (status === 'failed') process.stdout.write(`${relative(process.cwd(), name)}\n`);
} else {
  let [passed, failed] = [0, 0];
  for (const file of files.values()) {
    const count = countOf(file);
    passed += count.passed;
    failed += count.failed;
  }
  process.stdout.write(`${passed} ${failed}\n`);
}
