import { compareReads } from '../http/compare-reads.ts';

await compareReads({
  name: 'get',
  aim: { atMost: 1.4 },
  path: ({ orderId }) => `/api/v1/orders/${orderId}`,
  withKey: true,
});
