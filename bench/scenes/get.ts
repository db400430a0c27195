import { compareReads } from '../http/compare-reads.ts';

await compareReads({
  name: 'get',
  aim: { atLeast: 0.6 },
  path: ({ orderId }) => `/api/v1/orders/${orderId}`,
  withKey: true,
});
