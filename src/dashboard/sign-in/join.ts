import { html } from '../../base/http/html.ts';
import type { World } from '../../base/world.ts';
import { findLink } from '../../business/accounts/links.ts';
import { selectBusinessName } from '../../business/accounts/queries/businesses.ts';
import type { LinkRow } from '../../business/accounts/queries/links.ts';
import { startSession } from '../../business/accounts/session.ts';
import { joinTeam } from '../../business/accounts/team.ts';
import { newPasswordField, passwordError } from '../account/account-fields.ts';
import { postForm } from '../frame/controls.ts';
import { card } from '../frame/parts.ts';
import { type Answer, get, type OpenVisit, page, post } from '../frame/route.ts';
import { linkOverPage } from './recover.ts';
import { homeOf } from './sign-in.ts';

/** An invitation to a team, opened by whoever was invited. */
export const joinRoutes = [
  get('/dashboard/join/:token', 'anyone', async (world, visit) => {
    const link = await findLink(world, visit.params['token']!, 'join');
    return link ? await joinPage(world, visit, link) : linkOverPage(visit);
  }),
  post('/dashboard/join/:token', 'anyone', async (world, visit) => {
    const { texts, form, address, agent } = visit;
    const link = await findLink(world, visit.params['token']!, 'join');
    if (!link) return linkOverPage(visit);
    const password = form.raw('password');
    const error = passwordError(texts, password, link.email);
    if (error) return await joinPage(world, visit, link, error, 400);
    const joined = await joinTeam(world, link, { password, address, language: texts.tag });
    if (joined.outcome === 'used') return linkOverPage(visit);
    if (joined.outcome === 'taken') return await joinPage(world, visit, link, texts.account.emailTaken, 409);
    const person = { merchantId: link.merchant_id, userId: joined.userId };
    const { token } = await world.sql.begin(tx =>
      startSession(tx, world, { ...person, stage: 'full', address, agent }),
    );
    return { kind: 'redirect', to: homeOf(link.role ?? ''), session: { token } };
  }),
];

async function joinPage(
  { sql }: Pick<World, 'sql'>,
  { texts, params }: OpenVisit,
  link: LinkRow,
  error?: string,
  status = 200,
): Promise<Answer> {
  const { account, shell } = texts;
  const title = account.joinTitle({ business: (await selectBusinessName(sql, link.merchant_id)) ?? '' });
  const form = postForm(`/dashboard/join/${params['token']}`, account.join, newPasswordField(texts, error));
  const role = shell.roles[link.role ?? 'auditor'];
  const body = html`<h1>${title}</h1>${card(html`<p>${account.joinText({ email: link.email, role })}</p>${form}`)}`;
  return page({ title, status, body });
}
