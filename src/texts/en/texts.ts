import { mails } from './mails.ts';
import { notices } from './notices.ts';
import { reasons } from './reasons.ts';

export const texts = { language: 'English', reasons, notices, mails };
