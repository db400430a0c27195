import type { Html } from '../../base/http/html.ts';
import { chosenKinds, type KeepDays, type KeptKind, whatIsKept } from '../../base/what-is-kept.ts';
import type { World } from '../../base/world.ts';
import type { Texts } from '../../texts/languages.ts';
import { type Column, table } from './parts.ts';

/** Lists stored data, how long, why, and who deletes it. `early` has the owner's days. `brief` shows two columns. */
export function keptTable(
  { config }: Pick<World, 'config'>,
  { kept: words }: Texts,
  early: KeepDays,
  { brief = false } = {},
): Html {
  const howLong = (kind: KeptKind): string => {
    const chosen = chosenKinds.find(one => one === kind);
    const days = chosen && early[chosen];
    if (chosen && days !== undefined)
      return days === config.keep[chosen].ceiling ? words.ceiling({ days }) : words.days({ count: days });
    if (kind === 'backups') return words.days({ count: config.backupDays });
    const term = whatIsKept[kind].days;
    return typeof term === 'number' ? words.days({ count: term }) : words.terms[term];
  };
  const columns: Column<KeptKind>[] = [
    { title: words.what, cell: kind => words.kinds[kind].what },
    { title: words.howLong, cell: howLong },
    { title: words.why, cell: kind => words.kinds[kind].why },
    { title: words.who, cell: kind => words.by[whatIsKept[kind].by] },
  ];
  const rows = Object.keys(whatIsKept) as KeptKind[];
  return table(words.title, rows, brief ? columns.slice(0, 2) : columns);
}
