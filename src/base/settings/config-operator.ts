import type { Reader } from './config-values.ts';
import type { Mode } from './find-settings.ts';

export type Operator = {
  name: string | null;
  mail: string | null;
  phone: string | null;
  termsUrl: string | null;
  privacyUrl: string | null;
};

export type PlatformLogo = { type: 'image/svg+xml' | 'image/png'; content: Buffer };

const signupKinds = ['open', 'approve', 'invite', 'closed'] as const;
const longestName = 60;
const mostLogoBytes = 64 * 1024;

export function operatorSettings(read: Reader, mode: Mode) {
  const { text, form, complain } = read;
  const signups = read.choice('SIGNUPS', mode === 'live' ? 'closed' : 'open', signupKinds);
  if (mode === 'live' && isOpenToAll({ signups }) && text('SMTP_URL') === null)
    complain(
      `SIGNUPS=${signups} needs SMTP_URL and MAIL_FROM: without a mail to their address anybody could open a business in another’s name`,
    );
  const name = (setting: string) =>
    form(setting, { test: isName }, `must have at most ${longestName} characters, on one line`);
  const address = (setting: string) =>
    form(setting, { test: isWebAddress }, 'must be an http or https address');
  const operator: Operator = {
    name: name('OPERATOR_NAME'),
    mail: form('OPERATOR_MAIL', /^[^\s@<>"]+@[^\s@<>"]+$/, 'must look like help@example.in'),
    phone: form('OPERATOR_PHONE', /^\+?[\d ()-]{5,25}$/, 'must look like +91 98765 43210'),
    /** A person's consent is stored with this address. */
    termsUrl: address('OPERATOR_TERMS_URL'),
    privacyUrl: address('OPERATOR_PRIVACY_URL'),
  };
  return {
    operator,
    /** The people who may open a business: anybody, anybody with a small limit at first, invited people, or nobody. */
    signups,
    platformName: name('PLATFORM_NAME'),
    platformLogo: readPlatformLogo(read),
  };
}

export function isOpenToAll({ signups }: { signups: string }): boolean {
  return signups === 'open' || signups === 'approve';
}

function isName(value: string): boolean {
  return [...value].length <= longestName && !/\p{Cc}/u.test(value);
}

function isWebAddress(value: string): boolean {
  return /^https?:\/\//.test(value) && URL.canParse(value);
}

function readPlatformLogo({ file, complain }: Reader): PlatformLogo | null {
  const content = file('PLATFORM_MARK');
  if (content === null) return null;
  const isPng = content.subarray(1, 4).toString('latin1') === 'PNG';
  if (content.length > mostLogoBytes || (!isPng && !/<svg[\s>]/.test(content.toString('utf8', 0, 2000))))
    complain('PLATFORM_MARK must be an SVG or PNG picture of at most 64 KiB');
  return { type: isPng ? 'image/png' : 'image/svg+xml', content };
}
