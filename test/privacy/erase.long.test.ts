import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { hour, minute } from '../../src/base/clock.ts';
import { findBreaches } from '../../src/operator/verify.ts';
import { eraseDue } from '../../src/privacy/start-erasing.ts';
import { type ErasingStage, openErasingStage } from '../support/erasing-stage.ts';
import { dyingConnection } from '../support/model/dying-connection.ts';

let stage: ErasingStage;
before(async () => {
  stage = await openErasingStage();
});
after(() => stage.stop());

test('if the program or its connection dies at any line of an erasure, the next check completes it, and no rule is broken', async () => {
  const { sql, clock } = stage.world();
  let died = 0;
  for (let point = 0; point < 32; point++) {
    await stage.buy({}, { reference: `6912345678${String(point).padStart(2, '0')}` });
    await stage.deliver();
    clock.advance(16 * minute);
    // End the previous erasures, because a business may have at most twenty.
    await sql`update erasures set next_at = null`;
    await stage.ask('9876543210, rahul.sharma@example.in');
    const world = { ...stage.world(), sql: dyingConnection(sql, point) };
    await eraseDue(world, 'test').catch(() => died++);
    if ((await stage.reportOf()).report.problem === 'failed') died++;
    clock.advance(hour);
    await stage.erase();
    assert.deepEqual(await stage.left(), [], `died at ${point}`);
  }
  assert.ok(died > 20, `${died} deaths`);
  assert.deepEqual(await findBreaches(stage.world()), []);
});
