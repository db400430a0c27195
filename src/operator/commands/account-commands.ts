import { isTaken } from '../../base/database/is-taken.ts';
import { hasMail, parseMailAddress } from '../../base/network/parse-mail-address.ts';
import { randomBase62 } from '../../base/random.ts';
import { StartError } from '../../base/start-error.ts';
import type { World } from '../../base/world.ts';
import { addUser } from '../../business/accounts/add-user.ts';
import { makeLink } from '../../business/accounts/links.ts';
import { passwordProblem, shortestPassword } from '../../business/accounts/password.ts';
import { removeTotp } from '../../business/accounts/queries/factors.ts';
import { deleteSessionsOf } from '../../business/accounts/queries/sessions.ts';
import { selectUserByEmail, type UserRow } from '../../business/accounts/queries/users.ts';
import { byOperator, installation, recordAudit } from '../../business/accounts/record-audit.ts';
import { inviteOwner } from '../../business/accounts/register-merchant.ts';
import { homeOf } from '../../business/accounts/taken-names.ts';
import { because } from '../../texts/verdicts.ts';
import type { Command } from '../command.ts';

const email = { meaning: 'the address that the person signs in with', required: true };

export const passwordOption = {
  meaning: `at least ${shortestPassword} characters; generated and printed if left out`,
};

export const accountCommands: Record<string, Command> = {
  'create-operator': {
    needs: 'database',
    summary: "create an operator, who sees all businesses on the operator's screens",
    options: {
      email,
      password: passwordOption,
    },
    run: createOperator,
  },
  'reset-password': {
    needs: 'database',
    summary: 'print a link that sets a new password, once, within an hour; or switch two-step sign-in off',
    options: {
      email,
      'two-step': {
        meaning: 'switch two-step sign-in off for somebody who lost it, and end all their sessions',
        flag: true,
      },
    },
    run: (world, options) =>
      options['two-step'] === undefined ? makePasswordLink(world, options) : switchTwoStepOff(world, options),
  },
  'invite-business': {
    needs: 'database',
    summary: 'print a link that opens one business, within seven days (SIGNUPS=invite or open)',
    options: { email, name: { meaning: 'the name of the business, as a proposal' } },
    async run(world, options) {
      if (world.config.signups === 'closed')
        throw new StartError('SIGNUPS is closed: set it to invite or open');
      const address = parseMailAddress(options['email'] ?? '');
      if (!address) throw new StartError('--email must be an email address');
      if (await selectUserByEmail((await homeOf(world, address)).sql, address))
        throw new StartError(`${address} belongs to another user already`);
      const name = options['name'] ?? '';
      const link = await world.sql.begin(async tx => {
        const audited = { action: 'business.invite', subject: address, details: name } as const;
        await recordAudit(tx, byOperator(world, installation), audited);
        return await inviteOwner(tx, world, { email: address, name, madeBy: 'operator' });
      });
      console.log(link);
      return 0;
    },
  },
};

async function createOperator(world: World, options: Record<string, string>): Promise<number> {
  const address = parseMailAddress(options['email'] ?? '');
  if (!address) throw new StartError('--email must be an email address');
  const password = choosePassword(options, address);
  try {
    await world.sql.begin(async tx => {
      await addUser(tx, world, installation, { email: address, password, role: 'operator' });
      await recordAudit(tx, byOperator(world, installation), { action: 'operator.create', subject: address });
    });
  } catch (error) {
    if (isTaken(error)) throw new StartError(`${address} belongs to another user already`);
    throw error;
  }
  console.log(`operator  ${address}\nsign in   ${world.baseUrl}/dashboard/sign-in`);
  if (!options['password']) console.log(`password  ${password}  (shown once)`);
  return 0;
}

async function makePasswordLink(world: World, options: Record<string, string>): Promise<number> {
  const { user, home } = await knownUser(world, options);
  if (!hasMail(user.email))
    throw new StartError('this person joined by phone: an owner makes a new link on the Team screen');
  const link = await home.sql.begin(async tx => {
    const { merchant_id, user_id, email } = user;
    const audited = { action: 'password.recovery_link', subject: email } as const;
    await recordAudit(tx, byOperator(world, merchant_id), audited);
    const wanted = { merchant_id, user_id, email, purpose: 'recover', made_by: 'operator' } as const;
    return await makeLink(tx, world, wanted);
  });
  console.log(link);
  return 0;
}

async function switchTwoStepOff(world: World, options: Record<string, string>): Promise<number> {
  const { user, home } = await knownUser(world, options);
  await home.sql.begin(async tx => {
    const { merchant_id: merchantId, user_id: userId } = user;
    await removeTotp(tx, { merchantId, userId });
    await deleteSessionsOf(tx, merchantId, userId);
    const notice = because('two_step_off_by_operator', { email: user.email });
    const audited = { action: 'two_step.off', subject: user.email, notice } as const;
    await recordAudit(tx, byOperator(world, merchantId), audited);
  });
  console.log(`the two-step sign-in of ${user.email} is off`);
  return 0;
}

async function knownUser(
  world: World,
  options: Record<string, string>,
): Promise<{ user: UserRow; home: World }> {
  const home = await homeOf(world, options['email'] ?? '');
  const user = await selectUserByEmail(home.sql, options['email'] ?? '');
  if (!user) throw new StartError(`nobody signs in as ${options['email']}`);
  return { user, home };
}

const generatedPasswordLength = 20;

export function choosePassword(options: Record<string, string>, email: string): string {
  const password = options['password'] ?? randomBase62(generatedPasswordLength);
  if (passwordProblem(password, email))
    throw new StartError(`--password must have at least ${shortestPassword} characters and be hard to guess`);
  return password;
}
