import { runDrill } from './drill.ts';
import { renumber, seconds } from './renumber.ts';

/**
 * `npm run drill -- mailbox [messages] [resets] [renumberings]`: the long form of drill.test.ts.
 * `npm run drill -- mailbox renumbered [messages]`: what alerts of now wait for while that many mails are read anew.
 * Both need Dovecot.
 */
if (process.argv[2] === 'renumbered') {
  const { delays, took, isWhole } = await renumber(Number(process.argv[3] ?? 100_000), line =>
    console.log(line),
  );
  console.log(
    `${delays.length} alerts while they were read again: the first told after ${seconds(delays[0]!)}, the slowest after ${seconds(Math.max(...delays))}; the rest read after ${seconds(took)}; ${isWhole ? 'each mail is stored once' : 'MAILS ARE MISSING OR DOUBLE'}`,
  );
  process.exitCode = isWhole && Math.max(...delays) < 30_000 ? 0 : 1;
} else {
  const [messages = 10_000, reconnects = 20, renumberings = 3] = process.argv.slice(2).map(Number);
  const result = await runDrill({ messages, reconnects, renumberings });
  console.log(JSON.stringify(result));
  process.exitCode =
    result.stored === messages && result.judged === messages && result.judgings === messages ? 0 : 1;
}
