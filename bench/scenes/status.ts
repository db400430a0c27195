import { compareReads } from '../http/compare-reads.ts';

await compareReads({
  name: 'status',
  aim: { atLeast: 0.9 },
  path: ({ token }) => `/pay/${token}/status`,
  withKey: false,
});
