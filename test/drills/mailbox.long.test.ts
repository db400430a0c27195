import assert from 'node:assert/strict';
import { runDrill } from '../../drills/mailbox/drill.ts';
import { needs } from '../support/needs.ts';

const { test } = needs('Dovecot');

test('400 mails, 6 resets and 3 renumberings end in exactly 400 judged alerts', async () => {
  const result = await runDrill({ messages: 400, reconnects: 6, renumberings: 3 });
  assert.deepEqual([result.stored, result.judged, result.judgings], [400, 400, 400]);
  assert.ok(result.sessions > 6);
});
