import { readFileSync } from 'node:fs';
import { type Complain, type Mode, oneOf, type Text } from './config-values.ts';

export type Operator = {
  name: string | null;
  mail: string | null;
  phone: string | null;
  termsUrl: string | null;
  privacyUrl: string | null;
};

export type PlatformLogo = { type: 'image/svg+xml' | 'image/png'; content: Buffer };

const longestName = 60;
const mostLogoBytes = 64 * 1024;

export function operatorSettings(text: Text, mode: Mode, complain: Complain) {
  const signups = oneOf(
    'SIGNUPS',
    text('SIGNUPS') ?? (mode === 'live' ? 'closed' : 'open'),
    ['open', 'approve', 'invite', 'closed'],
    complain,
  );
  if (mode === 'live' && isOpenToAll({ signups }) && text('SMTP_URL') === null)
    complain(
      `SIGNUPS=${signups} needs SMTP_URL and MAIL_FROM: without a mail to their address anybody could open a business in another’s name`,
    );
  const operator: Operator = {
    name: shortText('OPERATOR_NAME', text('OPERATOR_NAME'), longestName, complain),
    mail: matching(
      'OPERATOR_MAIL',
      text('OPERATOR_MAIL'),
      /^[^\s@<>"]+@[^\s@<>"]+$/,
      'help@example.in',
      complain,
    ),
    phone: matching(
      'OPERATOR_PHONE',
      text('OPERATOR_PHONE'),
      /^\+?[\d ()-]{5,25}$/,
      '+91 98765 43210',
      complain,
    ),
    /** A person's consent is stored with this address. */
    termsUrl: webAddress('OPERATOR_TERMS_URL', text('OPERATOR_TERMS_URL'), complain),
    privacyUrl: webAddress('OPERATOR_PRIVACY_URL', text('OPERATOR_PRIVACY_URL'), complain),
  };
  return {
    operator,
    /** The people who may open a business: anybody, anybody with a small limit at first, invited people, or nobody. */
    signups,
    platformName: shortText('PLATFORM_NAME', text('PLATFORM_NAME'), longestName, complain),
    platformLogo: readPlatformLogo(text('PLATFORM_MARK'), complain),
  };
}

export function isOpenToAll({ signups }: { signups: string }): boolean {
  return signups === 'open' || signups === 'approve';
}

function matching(
  name: string,
  value: string | null,
  form: RegExp,
  such: string,
  complain: Complain,
): string | null {
  if (value !== null && !form.test(value)) complain(`${name} must look like ${such}`);
  return value;
}

function shortText(name: string, value: string | null, most: number, complain: Complain): string | null {
  if (value !== null && ([...value].length > most || /\p{Cc}/u.test(value)))
    complain(`${name} must have at most ${most} characters, on one line`);
  return value;
}

function webAddress(name: string, value: string | null, complain: Complain): string | null {
  if (value !== null && (!/^https?:\/\//.test(value) || !URL.canParse(value)))
    complain(`${name} must be an http or https address`);
  return value;
}

function readPlatformLogo(path: string | null, complain: Complain): PlatformLogo | null {
  if (path === null) return null;
  let content: Buffer;
  try {
    content = readFileSync(path);
  } catch (error) {
    complain(`PLATFORM_MARK cannot be read: ${(error as Error).message}`);
    return null;
  }
  const isPng = content.subarray(1, 4).toString('latin1') === 'PNG';
  if (content.length > mostLogoBytes || (!isPng && !/<svg[\s>]/.test(content.toString('utf8', 0, 2000))))
    complain('PLATFORM_MARK must be an SVG or PNG picture of at most 64 KiB');
  return { type: isPng ? 'image/png' : 'image/svg+xml', content };
}
