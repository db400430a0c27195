import { type Html, html } from '../../base/http/html.ts';
import type { World } from '../../base/world.ts';
import type { Permission } from '../../business/accounts/may-do.ts';
import type { Texts } from '../../texts/languages.ts';
import type { Visit } from './route.ts';

type Ask<T> = (world: Pick<World, 'sql'>, visit: Pick<Visit, 'merchantId' | 'now'>) => Promise<T>;

export type NavigationItem = {
  path: `/dashboard${string}`;
  text: keyof Texts['shell']['navigation'];
  permission: Permission;
  /** Whose work it is: the shop's every day, what it set up once, its developer's, the operator's. */
  group: 'shop' | 'business' | 'developer' | 'operator';
  /** How much waits there for whoever opens it; shown where it is not nothing. */
  waiting?: Ask<number>;
  /** Once this is so it leaves the menu; its page stays. */
  isOver?: Ask<boolean>;
};

/** With the number of things that wait there. */
export type MenuItem = NavigationItem & { count: number };

/** Beyond this a menu says no more than that there is much. */
export const mostShown = 99;

export function waitingBadge({ waiting }: Texts['shell'], count: number): Html | null {
  if (count === 0) return null;
  return html` <span class="badge warn">${count > mostShown ? `${mostShown}+` : count}<span class="unseen"> ${waiting}</span></span>`;
}
