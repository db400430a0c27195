import { type Html, html } from '../../base/http/html.ts';
import { chosenKinds, type KeepDays, type KeptKind, whatIsKept } from '../../base/retention.ts';
import type { World } from '../../base/world.ts';
import type { Texts } from '../../texts/languages.ts';
import { fold } from './choosing.ts';
import { facts } from './parts.ts';

type KeptWorld = Pick<World, 'config'>;

const groups = {
  payments: ['orders', 'archives', 'payments', 'claims', 'order_ids', 'page_reports'],
  mails: ['raw_mails', 'places', 'sent_mails', 'notices'],
  website: ['webhook_bodies', 'key_reads'],
  people: ['audit', 'sessions', 'operator_notes', 'business'],
  service: ['figures', 'backups', 'logs'],
} as const satisfies Record<string, readonly KeptKind[]>;

/** Stored data by subject, folded: how long it is kept, and why. `early` has the owner's days. A kind without a group does not compile. */
export function keptGroups(world: KeptWorld, texts: Texts, early: KeepDays): Html {
  const words = texts.kept;
  type Missing = Exclude<KeptKind, (typeof groups)[keyof typeof groups][number]>;
  const shown: Record<Missing, never> & typeof groups = groups;
  return html`${Object.entries(shown).map(([name, kinds]: [string, readonly KeptKind[]]) =>
    fold(
      words.groups[name as keyof typeof groups],
      facts(
        kinds.map(kind => [
          words.kinds[kind].what,
          html`${howLong(world, texts, early, kind)}<br><span class="small quiet">${words.kinds[kind].why}</span>`,
        ]),
      ),
    ),
  )}<p class="small quiet">${words.stays}</p>`;
}

function howLong({ config }: KeptWorld, { kept: words }: Texts, early: KeepDays, kind: KeptKind): string {
  const chosen = chosenKinds.find(one => one === kind);
  const days = chosen && early[chosen];
  if (chosen && days !== undefined)
    return days === config.keep[chosen].ceiling ? words.ceiling({ days }) : words.days({ count: days });
  if (kind === 'backups') return words.days({ count: config.backupDays });
  const retention = whatIsKept[kind].days;
  return typeof retention === 'number' ? words.days({ count: retention }) : words.retention[retention];
}
