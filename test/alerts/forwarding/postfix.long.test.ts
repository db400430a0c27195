import assert from 'node:assert/strict';
import { startMailServers } from '../../../src/alerts/forwarding/start-mail-servers.ts';
import { freePort } from '../../../src/base/free-port.ts';
import {
  addForwardingShop,
  alertsOf,
  creditTo,
  type ForwardingStage,
  openForwardingStage,
} from '../../support/forwarding-stage.ts';
import { handMail, sentOn } from '../../support/mail-provider.ts';
import { needs } from '../../support/needs.ts';
import { type Postfix, startPostfix } from '../../support/postfix.ts';
import { waitFor } from '../../support/wait-for.ts';

const { after, before, test } = needs('Postfix', 'root');

let stage: ForwardingStage;
let postfix: Postfix;

before(async () => {
  const lmtpPort = await freePort();
  stage = await openForwardingStage(
    { RECEIVE_PORT: 'off', RECEIVE_LMTP: `127.0.0.1:${lmtpPort}` },
    { judging: true },
  );
  postfix = await startPostfix(stage.world.config.mailDomain!, lmtpPort);
});
after(async () => {
  await postfix?.stop();
  await stage?.stop();
});

test('Postfix, configured as the guide says, delivers by LMTP, and the bank’s signature still verifies', async () => {
  const { merchantId, forwardTo } = await addForwardingShop(stage.world);
  const raw = sentOn(creditTo(forwardTo), { from: 'meera@gmail.example', to: forwardTo });
  const { code, text } = await handMail(postfix.port, { to: forwardTo, raw });
  assert.equal(code, 250, `${text}\n${postfix.log()}`);
  await waitFor(
    'the verdict',
    async () => (await alertsOf(stage.world, merchantId))[0]?.verdict === 'no_order',
  );
});

test('Postfix refuses unknown recipients before it accepts the mail, so that no bounce is sent', async () => {
  const nobody = `alerts-${'f'.repeat(32)}@${stage.world.config.mailDomain}`;
  const { code, text } = await handMail(postfix.port, { to: nobody, raw: creditTo(nobody) });
  assert.equal(code, 550, `${text}\n${postfix.log()}`);
  assert.equal(
    (await handMail(postfix.port, { to: 'victim@elsewhere.example', raw: creditTo('x@y.example') })).code,
    554,
  );
});

test('Postfix queues mails while we are down, and delivers them afterwards', async () => {
  const { merchantId, forwardTo } = await addForwardingShop(stage.world);
  // Known to Postfix while we are there; then we are gone.
  assert.equal((await handMail(postfix.port, { to: forwardTo, raw: creditTo(forwardTo) })).code, 250);
  await waitFor('the first', async () => (await alertsOf(stage.world, merchantId)).length === 1);
  await stage.mailServers.stop();
  assert.equal((await handMail(postfix.port, { to: forwardTo, raw: creditTo(forwardTo) })).code, 250);
  await waitFor('Postfix to keep it', () => /status=deferred/.test(postfix.log()));
  assert.equal((await alertsOf(stage.world, merchantId)).length, 1);
  stage.mailServers = await startMailServers(stage.world);
  await waitFor('the second', async () => {
    postfix.flush();
    return (await alertsOf(stage.world, merchantId)).length === 2;
  });
});
