import type { TOTP } from 'otpauth';
import { later, second } from '../../src/base/clock.ts';

/** Ten codes that the app on the phone shows at no moment near this one: of a million each is right now and then. */
export function wrongCodes(totp: TOTP, now: Date): string[] {
  const right = [-30, 0, 30].map(seconds =>
    totp.generate({ timestamp: later(now, seconds * second).getTime() }),
  );
  const codes = Array.from({ length: 10 + right.length }, (_, at) => String(at).padStart(6, '0'));
  return codes.filter(code => !right.includes(code)).slice(0, 10);
}
