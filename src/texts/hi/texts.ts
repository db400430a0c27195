import type { Texts } from '../texts.ts';
import { mails } from './mails.ts';
import { notices } from './notices.ts';
import { reasons } from './reasons.ts';

export const texts: Texts = { language: 'हिन्दी', reasons, notices, mails };
