import { minute, second } from '../../base/clock.ts';

const KiB = 1024;
const MiB = 1024 * KiB;

/** Connections at once: in all, from one network and from one address. Each costs some kilobytes. */
export const mostConnections = 400;
export const mostOfNetwork = 40;
export const mostOfAddress = 20;

/** Mails per minute. A large provider sends for many shops at once; a shop with more alerts gets them later. */
export const mailsOfNetwork = 3_000;
export const mailsOfAddress = 1_500;
export const mailsOfRecipient = 600;
export const connectionsOfAddress = 600;
export const mostRemembered = 20_000;

/** Bytes of mails being received or stored, over all connections. Above it, senders are asked to come back. */
export const mostBytesInHand = 64 * MiB;

/** The share of one forwarding address, so that large mails sent slowly to it do not block others. */
export const mostBytesOfRecipient = 8 * MiB;

/** Mails stored at once. More would only wait inside the database. */
export const mostStoring = 8;

/** A mail for an alert has one recipient; a mail server in front may combine some. */
export const mostRecipients = 20;

/** A client that names this many unknown addresses is guessing, and must reconnect. */
export const mostUnknown = 3;

/** Commands between two mails. A mail takes four. Without this limit a client could send NOOP for ever. */
export const mostCommands = 100;

/** The connection ends after this long without a byte, and after a session of this length. */
export const idleTime = 30 * second;
export const sessionTime = 5 * minute;

/** Time to finish storing mails when the process stops. */
export const stopTime = 5 * second;

export const longestCommand = 2 * KiB;
