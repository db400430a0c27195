import { measureSizes } from '../../scripts/measure-sizes.ts';

/** `npm run drill -- sizes`: prints what a customer's line must carry, and fails beyond the budgets. */
for (const { what, brotli, gzip, limit } of await measureSizes()) {
  const beyond = limit !== null && (limit.of === 'gzip' ? gzip : brotli) > limit.bytes;
  const budget = limit === null ? '' : `  limit ${limit.bytes} ${limit.of}${beyond ? '  BEYOND' : ''}`;
  process.stdout.write(
    `${what.padEnd(26)} brotli ${String(brotli).padStart(6)}  gzip ${String(gzip).padStart(6)}${budget}\n`,
  );
  if (beyond) process.exitCode = 1;
}
