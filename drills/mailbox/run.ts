import { runDrill } from './drill.ts';

/** `npm run drill -- mailbox [messages] [resets] [renumberings]`: the long form of drill.test.ts. Needs Dovecot. */
const [messages = 10_000, reconnects = 20, renumberings = 3] = process.argv.slice(2).map(Number);
const result = await runDrill({ messages, reconnects, renumberings });
console.log(JSON.stringify(result));
process.exitCode =
  result.stored === messages && result.judged === messages && result.judgings === messages ? 0 : 1;
