import { hasMail } from '../../base/network/parse-mail-address.ts';
import type { World } from '../../base/world.ts';
import { listMembers } from '../../business/accounts/queries/users.ts';
import type { Visit } from '../frame/route.ts';

/** Words the actors of the audit log. The role behind a cashier's name keeps it from passing for the operator's. */
export async function sayActors(
  { sql }: Pick<World, 'sql'>,
  { texts, merchantId }: Visit,
): Promise<(actor: string) => string> {
  const { auditActors: actors } = texts.business;
  const members = await listMembers(sql, merchantId);
  return actor => {
    if (actor === 'milaan') return actors.milaan;
    if (!hasMail(actor)) {
      const cashier = members.find(({ email }) => email === actor);
      return cashier ? `${cashier.name} (${texts.shell.roles.cashier})` : actors.formerCashier;
    }
    const [word, address = ''] = actor.split(' ');
    return word === 'operator' ? `${actors.operator} ${address}`.trim() : actor;
  };
}
