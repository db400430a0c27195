import { compareReads } from '../http/compare-reads.ts';

await compareReads({
  name: 'status',
  aim: { atMost: 1.4 },
  path: ({ token }) => `/pay/${token}/status`,
  withKey: false,
});
