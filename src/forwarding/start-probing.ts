import { later, second } from '../clock.ts';
import { keepWorking } from '../database/keep-working.ts';
import { silentAfter } from '../mailboxes/forwarding-state.ts';
import { deleteEndedForwardings, proveByAlerts } from '../mailboxes/queries/forwarding.ts';
import { countForwardings, probeChannel } from '../mailboxes/queries/probes.ts';
import { sendProbes } from '../mailboxes/send-probes.ts';
import { tellSilentForwardings } from '../mailboxes/tell-of-ways.ts';
import { openSmtp } from '../mails/open-smtp.ts';
import type { World } from '../world.ts';
import { receiveMeters } from './meters.ts';

const pause = 15 * second;

/** Whether what is forwarded still comes: probes leave while SMTP is set up, owners are told of silence, old addresses end. */
export function startProbing(world: World): { stop(): Promise<void> } {
  const { sql, clock, config, metrics } = world;
  const meters = receiveMeters(metrics);
  const { smtpUrl, mailFrom } = config;
  const smtp = smtpUrl === null || mailFrom === null ? null : openSmtp(smtpUrl);
  const worker = keepWorking(
    world,
    { what: 'probing forwardings', pause, channel: probeChannel },
    async () => {
      await deleteEndedForwardings(sql, clock.now());
      await proveByAlerts(sql, clock.now());
      await tellSilentForwardings(world);
      const { open, silent } = await countForwardings(sql, later(clock.now(), -silentAfter));
      meters.open.set(open);
      meters.silent.set(silent);
      if (!smtp || mailFrom === null) return pause;
      const { sent, failed } = await sendProbes(world, smtp, mailFrom);
      meters.probes.inc({ outcome: 'sent' }, sent);
      meters.probes.inc({ outcome: 'failed' }, failed);
      return sent + failed > 0 ? 0 : pause;
    },
  );
  return {
    async stop() {
      smtp?.close();
      await worker.stop();
    },
  };
}
