import type { Transaction } from '../../base/database/connect.ts';
import { html } from '../../base/http/html.ts';
import { parseMailAddress } from '../../base/network/parse-mail-address.ts';
import { mayGuess, strangerGuesses } from '../../business/accounts/guesses.ts';
import { deleteInvitation } from '../../business/accounts/queries/links.ts';
import { inviteMember } from '../../business/accounts/team.ts';
import { userRoles } from '../../outbox/user-roles.ts';
import { because } from '../../texts/verdicts.ts';
import { emailField } from '../account/account-fields.ts';
import { copyable, plainLink, postForm } from '../frame/controls.ts';
import { card, screen } from '../frame/parts.ts';
import { makeChange, recorded } from '../frame/record-change.ts';
import { type Answer, fresh, get, notFound, post, redirect, type Visit } from '../frame/route.ts';
import { roleField } from './role-field.ts';

export const teamInvitationRoutes = [
  get('/dashboard/team/invite', fresh('team.change'), async (_world, visit) => invitePage(visit)),
  post('/dashboard/team/invite', fresh('team.change'), async (world, visit) => {
    const { form, texts, merchantId, user, business } = visit;
    const email = parseMailAddress(form.text('email'));
    const role = userRoles.find(one => one === form.text('role'));
    if (!email || !role) return invitePage(visit, texts.account.wrongEmail, 400);
    if (!(await mayGuess(world, strangerGuesses('invite', email, merchantId))))
      return invitePage(visit, texts.account.tooManyTries, 429);
    const wanted = { merchantId, email, role, business: business.name, by: user.email, language: texts.tag };
    const notice = because('invited', { email, role: because(role) });
    const deed = { action: 'member.invite', subject: email, details: role, notice } as const;
    const invite = (tx: Transaction) => inviteMember(tx, world, wanted);
    const invitation = await recorded(world, visit, invite, made => made.outcome === 'invited' && deed);
    if (invitation.outcome === 'taken') return invitePage(visit, texts.business.inviteTaken, 409);
    return invitedPage(visit, email, invitation);
  }),
  post('/dashboard/team/invitations/:linkId/withdraw', 'team.change', async (world, visit) => {
    const { merchantId, params, texts } = visit;
    const withdrawn = await makeChange(world, visit, async tx => {
      const email = await deleteInvitation(tx, merchantId, params['linkId']!);
      return email === null ? null : { action: 'member.uninvite', subject: email };
    });
    return withdrawn ? redirect('/dashboard/team', texts.business.withdrawn) : notFound();
  }),
];

function invitePage(visit: Visit, error?: string, status = 200): Answer {
  const { texts, form } = visit;
  const { business, shell } = texts;
  const fields = [emailField(visit, error, 'off'), roleField(texts, form.text('role') || 'support')];
  const cancel = { href: '/dashboard/team', text: shell.cancel };
  return screen(business.invite, { text: business.inviteText, status })`
${card(postForm({ action: '/dashboard/team/invite', fields, submit: business.inviteSend, cancel }))}`;
}

/** The only moment that the link exists outside its reader's hands. */
function invitedPage(
  { texts }: Visit,
  email: string,
  { link, mailed }: { link: string; mailed: boolean },
): Answer {
  const { business } = texts;
  const title = business.invited(email);
  return screen(title)`${card(html`<p>${mailed ? business.invitedMailed : business.invitedByHand}</p>
<p>${copyable(texts, 'invitation', link, business.inviteLink)}</p>
<div class="actions">${plainLink('/dashboard/team', texts.shell.back)}</div>`)}`;
}
