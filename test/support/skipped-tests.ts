import type { run } from 'node:test';

/** Names of the tests that a run skips, under the reason each has; for its last lines. */
export function skippedTests(results: ReturnType<typeof run>): () => string[] {
  const byReason = new Map<string, string[]>();
  results.on('test:pass', ({ name, skip }) => {
    if (skip === undefined || skip === false) return;
    const reason = typeof skip === 'string' ? skip : 'without a reason';
    byReason.set(reason, [...(byReason.get(reason) ?? []), name]);
  });
  return () =>
    [...byReason].flatMap(([reason, names]) => [`skipped, ${reason}:`, ...names.map(name => `  ${name}`)]);
}
