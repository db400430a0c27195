import { minute, second } from '../../base/clock.ts';

const KiB = 1024;
const MiB = 1024 * KiB;

/** Connections at once: of everybody, of one network and of one address. Each costs some kilobytes. */
export const mostConnections = 400;
export const mostOfNetwork = 40;
export const mostOfAddress = 20;

/** Mails a minute. A large provider hands over for many shops at once; a shop with more alerts than this gets them later. */
export const mailsOfNetwork = 3_000;
export const mailsOfAddress = 1_500;
export const mailsOfRecipient = 600;
export const connectionsOfAddress = 600;
export const mostRemembered = 20_000;

/** Bytes of mails being received or stored, over all connections: beyond it senders are asked to come back. */
export const mostBytesInHand = 64 * MiB;

/** Of these, for one forwarding address: whoever has one and sends large mails slowly blocks nobody else. */
export const mostBytesOfRecipient = 8 * MiB;

/** Mails stored at once. More would only wait inside the database. */
export const mostStoring = 8;

/** A mail for an alert has one recipient; a mail server in front may put some together. */
export const mostRecipients = 20;

/** Whoever names this many addresses that do not exist is guessing, and starts over. */
export const mostUnknown = 3;

/** Commands between two mails. A mail takes four; whoever says NOOP for ever costs as much as a mail each time. */
export const mostCommands = 100;

/** After this long without a byte, or a session of this length, the connection ends. */
export const idleTime = 30 * second;
export const sessionTime = 5 * minute;

/** For what is being stored when the process is told to stop. */
export const stopTime = 5 * second;

export const longestCommand = 2 * KiB;
