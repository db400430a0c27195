import { compareReads } from '../http/compare-reads.ts';

await compareReads({
  name: 'status',
  aim: { atLeast: 0.7 },
  path: ({ token }) => `/pay/${token}/status`,
  withKey: false,
});
