import { later, second } from '../../base/clock.ts';
import { keepWorking } from '../../base/database/keep-working.ts';
import type { World } from '../../base/world.ts';
import { openSmtp } from '../../outbox/mails/open-smtp.ts';
import { probeChannel } from '../addresses/queries/addresses.ts';
import { silentAfter } from './forwarding-state.ts';
import { forwardingMetrics } from './metrics.ts';
import { deleteEndedForwardings, proveByAlerts } from './queries/forwarding.ts';
import { countForwardings } from './queries/probes.ts';
import { sendProbes } from './send-probes.ts';
import { tellSilentForwardings } from './tell-silent-forwardings.ts';

const pause = 15 * second;

/** Watches whether forwarded mail still comes: sends probes, tells owners of silence, ends old addresses. */
export function startProbing(world: World): { stop(): Promise<void> } {
  const { sql, clock, config } = world;
  const metrics = forwardingMetrics(world.metrics);
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
      metrics.open.set(open);
      metrics.silent.set(silent);
      if (!smtp || mailFrom === null) return pause;
      const { sent, failed } = await sendProbes(world, smtp, mailFrom);
      metrics.probes.inc({ outcome: 'sent' }, sent);
      metrics.probes.inc({ outcome: 'failed' }, failed);
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
