import type { NamesIn } from '../texts/verdicts.ts';

type Declared = {
  rule: {
    severity: 'page' | 'ticket';
    /** How long the expression must hold. */
    for?: string;
    expr: string;
    /** The alarm fires while the value of `expr` is greater. */
    above?: number;
    and?: string;
  };
  /** Says what happened. `{count}` is a number, and `{time}` is given in seconds. */
  message: string;
  meaning: string;
  whatToDo: string;
  /** Only Prometheus shows it; the operator's screen cannot. */
  rulesOnly?: true;
};

/** `npm run docs` writes Prometheus's rules and docs/alarms.md from this table; the operator's screens read it. */
const table = {
  MilaanDown: {
    rule: { severity: 'page', for: '1m', expr: 'up{job="milaan"} == 0' },
    message: '{process} does not answer.',
    meaning:
      "A process does not answer. Without `web`, no orders are created, but payments in progress are still confirmed. Without `mail`, payments are found when it is back, each by the bank's own time. Without `deliver`, shops are notified later.",
    whatToDo:
      'Run `systemctl status milaan` (or `docker compose ps`) and read the last lines of its log. A process that refuses to start says why in one sentence. A restart loses nothing. The operator’s screen knows a process by its machine, port and roles: one that was restarted under another machine’s name is reported missing for a day.',
  },
  MilaanNotReady: {
    rule: { severity: 'page', for: '1m', expr: 'milaan_ready == 0' },
    rulesOnly: true,
    message: '{process} cannot write to its database{cell}.',
    meaning:
      'The process runs and cannot write to its database. The database is down, a standby, read-only or full, or it waits for a synchronous standby that is gone. Shops get 503 and repeat the request. With [several databases](cells.md) the label `cell` says which one; only the businesses in that cell get 503. If it is cell 0, nobody opens a business or signs in as an operator; payments of other cells continue.',
    whatToDo:
      "Run `milaan doctor` and read the lines _database_, _writing_, _standby_ and _disk_. If the disk is full, give it space. Never delete PostgreSQL's files.",
  },
  MilaanMailboxesBlind: {
    rule: { severity: 'page', for: '5m', expr: 'max(milaan_mailboxes_blind)', above: 0 },
    message: 'Mailboxes that cannot be read: {count}. Payments to these shops are not confirmed.',
    meaning:
      'Milaan has been unable to read mailboxes for five minutes. A mailbox counts here after 90 seconds without a read. Customers pay and their orders stay open; the payment page says so.',
    whatToDo:
      "Run `milaan doctor` and read the lines _IMAP_ and _DNS_. If it is one mailbox, its owner has been notified, and the operator's screen shows the reason. If it is many at one provider, the provider has a fault. If it is all of them, look at this machine's network and DNS, and whether `mail` runs. Once mailboxes can be read again, Milaan finds everything that arrived, and each alert pays the order of its own time.",
  },
  MilaanLoginRefused: {
    rule: { severity: 'ticket', for: '15m', expr: 'max(milaan_mailboxes_need_login)', above: 0 },
    message: 'Mailboxes that refuse the login: {count}. Their owners are notified.',
    meaning:
      'Mailboxes no longer accept their password or consent. Their owners are notified by mail and on the dashboard.',
    whatToDo:
      'For one mailbox, nothing. If many at one provider appear at once, check whether your OAuth client (`GOOGLE_CLIENT_ID`, `MICROSOFT_CLIENT_ID`) was withdrawn, or `SECRET_KEY` changed.',
  },
  MilaanForwardingsSilent: {
    rule: { severity: 'ticket', for: '10m', expr: 'max(milaan_forwardings_silent)', above: 0 },
    message: 'Forwardings that no longer bring mail: {count}.',
    meaning:
      "Milaan's test mail went to a shop's own address and did not come back through its forwarding. Customers of these shops are warned, and their owners are notified.",
    whatToDo:
      'Run `milaan doctor`, line _mail in_, and read [Mail in](mail-in.md#receiving-forwarded-mail-the-role-receive). If it is one shop, a filter was changed, and its owner can look. If it is all shops at once, the role `receive` is down, port 25 is closed, or the MX record is gone.',
  },
  MilaanMailLate: {
    rule: {
      severity: 'ticket',
      expr: 'histogram_quantile(0.95, sum by (le) (rate(milaan_mailbox_lag_seconds_bucket[15m])))',
      above: 60,
    },
    message: 'More than 5 in 100 bank mails were stored over a minute after they arrived.',
    meaning:
      'Mails are stored more than a minute after the mail server had them. Customers wait in front of the payment page.',
    whatToDo:
      'Right after an outage this is the backlog, and it passes. Otherwise this machine watches more mailboxes than it can carry: run another `mail` process ([scaling](scaling.md)).',
  },
  MilaanMailUnfetchable: {
    rule: { severity: 'ticket', expr: 'sum(increase(milaan_mailbox_unfetchable_total[1h]))', above: 0 },
    message: 'Mails that a mail server lists and does not hand out, in an hour: {count}.',
    meaning:
      "A mail server lists a mail and does not hand it out, or ends the session each time Milaan asks for it. Later mails are read. If it was a bank's alert, its payment is not confirmed. Milaan asks the server again a few times.",
    whatToDo:
      "Open the business's mailbox with another program. If the mail cannot be opened there either, the provider has to repair it. If an order waits for it, its owner can assign the money to the order from the bank's statement ([Money that needs a person](money.md)).",
  },
  MilaanAlertsWaiting: {
    rule: { severity: 'page', for: '1m', expr: 'max(milaan_alerts_oldest_waiting_seconds)', above: 60 },
    message: 'A bank mail has waited {time} to be judged.',
    meaning:
      'A stored mail has not been judged for a minute. Every worker slot is busy or stuck, mostly behind a lock in the database or DNS that answers slowly.',
    whatToDo:
      "Run `select * from pg_stat_activity where wait_event_type = 'Lock'` and end the session that holds the lock. Nothing is lost.",
  },
  MilaanAlertsRetrying: {
    rule: {
      severity: 'page',
      for: '5m',
      expr: 'max(milaan_alerts_retrying)',
      above: 0,
      and: 'on () sum(increase(milaan_dns_failures_total[15m])) > 0',
    },
    message: 'Bank mails that wait for DNS or a bank’s key: {count}. They pay once it answers.',
    meaning:
      "DNS did not answer for a bank's key, and mails wait for it. Milaan tries them again for a day. Each pays the order of its own time once DNS answers.",
    whatToDo:
      "Run `milaan doctor`, line _DNS_, and set other servers in `DNS_SERVERS`. If only one bank's name fails everywhere, the bank has an outage.",
  },
  MilaanKeysDoubted: {
    rule: { severity: 'ticket', expr: 'sum(increase(milaan_alerts_key_doubted_total[1h]))', above: 0 },
    message: 'Bank mails that do not fit the key in DNS, in an hour: {count}.',
    meaning:
      "A mail in a bank's name is intact, but the key in DNS did not sign it. The bank is changing its key and DNS is behind, a resolver lies, or somebody forges. Milaan checks the mail again for a day. It pays nothing until then.",
    whatToDo:
      'Compare the key from two resolvers (`dig TXT selector._domainkey.bank`). If the bank was at fault for longer than a day, run `milaan judge-again --bank … --day …` afterwards.',
  },
  MilaanKeyChanged: {
    rule: { severity: 'ticket', expr: 'sum(increase(milaan_alerts_key_changes_total[1h]))', above: 0 },
    message: 'Keys of banks that changed in an hour: {count}. Was it the bank?',
    meaning:
      "DNS has a new key under a bank's name. Banks change keys about once a year. Mails signed with the old key are still accepted for two days.",
    whatToDo:
      "Check on the screen _Banks_ that this bank's payments continue. Two changes in a day are suspicious: ask another resolver.",
  },
  MilaanKeyWithdrawn: {
    rule: { severity: 'ticket', expr: 'max(milaan_alerts_keys_withdrawn)', above: 0 },
    message: 'Keys that banks withdrew in two days: {count}. Mails signed with them pay nothing.',
    meaning:
      'A bank has withdrawn a key (an empty `p=` in DNS) that was in DNS during the last two days. Mails signed with it pay nothing until DNS publishes it again. They wait for a day, then they become `forged` or `unreadable`. The alarm ends when DNS has a key under the name again, or after two days.',
    whatToDo:
      "Look on the screen _Banks_ whether this bank's payments go on. If they do, the bank has retired an old key. If they stopped, compare two resolvers (`dig TXT selector._domainkey.bank`) and ask the bank. If DNS publishes the key again after more than a day, run `milaan judge-again --bank … --day …`.",
  },
  MilaanForged: {
    rule: {
      severity: 'ticket',
      expr: 'sum by (bank) (increase(milaan_alerts_judged_total{verdict="forged"}[1h]))',
      above: 5,
    },
    message: 'Forged mails in the name of {bank}: {count}. None of them paid an order.',
    meaning:
      'More than five mails in an hour claim to be from a bank and are not. None of them paid an order.',
    whatToDo:
      'Look at the screen _Banks_ and at the alerts of the businesses that received them. If it is one business, somebody is trying to cheat it. If it is all businesses of one bank, a mail gateway probably changes mails on their way: remove it, then run `milaan judge-again`.',
  },
  MilaanUnreadable: {
    rule: {
      severity: 'ticket',
      expr: 'sum by (bank) (increase(milaan_alerts_judged_total{verdict="unreadable"}[1h]))',
      above: 3,
    },
    message: 'Mails of {bank} that could not be read: {count}. Has it changed its wording?',
    meaning:
      "No wording fits more than three of a bank's mails in an hour: the bank has changed its mail. Its customers' payments are not confirmed until Milaan knows the new wording.",
    whatToDo:
      'On the screen _Banks_, open one such mail in the [workshop](adding-a-bank.md), which drafts the new wording. Once you save it, Milaan judges the held mails again.',
  },
  MilaanBankQuiet: {
    rule: { severity: 'ticket', expr: 'max by (bank) (milaan_alerts_quiet_bank_mails)', above: 0 },
    message: '{bank} reported no money in its last {count} mails. Has it changed them?',
    meaning:
      'A bank reported at least five credits in the fourteen days up to its last one. It has sent at least ten mails on the days since, and none was read as a credit. It may have changed its mails; the screen _Banks_ lists new senders and wordings first. If these mails tell of money that left, nothing is wrong. After four weeks the alarm ends.',
    whatToDo: 'On the screen _Banks_, open a mail that was not read in the [workshop](adding-a-bank.md).',
  },
  MilaanUnlistedDomain: {
    rule: { severity: 'ticket', expr: 'sum(increase(milaan_alerts_unlisted_domain_total[1h]))', above: 0 },
    message: 'Bank mails signed by a domain that is not listed, in an hour: {count}.',
    meaning:
      "A bank's mail has a valid signature by a domain that may belong to the bank and is not listed. Banks are moving to `.bank.in`. The mail paid nothing.",
    whatToDo:
      "Confirm on the bank's own pages that the domain is the bank's, then add it ([Adding a bank](adding-a-bank.md)). Never add one because a mail says so.",
  },
  MilaanNewLines: {
    rule: { severity: 'ticket', for: '5m', expr: 'max(milaan_alerts_unlisted_lines)', above: 0 },
    message: 'New lines in banks’ mails that wait for your decision: {count}.',
    meaning:
      'A bank has added a line above its sentence about the payment. Mails with this line wait and pay nothing until you decide.',
    whatToDo:
      'On the screen _Banks_, list the line if it is harmless. Each held mail then pays the order of its own time. If its sentence about the payment is short enough to be a payer’s, it waits for its owner.',
  },
  MilaanWebhooksLate: {
    rule: { severity: 'page', for: '1m', expr: 'max(milaan_webhook_oldest_due_seconds)', above: 60 },
    message: 'A webhook has been due for {time} and is not sent.',
    meaning:
      'A webhook has been due for more than a minute and is not sent: `deliver` is overloaded or waits for a lock. Shops do not hear about payments, and reconcile with `GET`.',
    whatToDo:
      "Run `select * from pg_stat_activity where wait_event_type = 'Lock'` and end the session that holds the lock. Start a second `deliver` process if `milaan_webhook_sending` is at its limit.",
  },
  MilaanWebhooksNotSigned: {
    rule: {
      severity: 'page',
      expr: 'sum(increase(milaan_webhook_attempts_total{outcome="not_signed"}[15m]))',
      above: 0,
    },
    message: 'Webhooks that could not be signed: {count}. SECRET_KEY does not open their secrets.',
    meaning:
      'A process cannot open a webhook secret, because a key is missing from its `SECRET_KEY`. These webhooks wait, and their shops do not hear about payments.',
    whatToDo:
      'Put the older key back, after a comma, on every machine, and restart. Milaan then sends the webhooks that waited.',
  },
  MilaanMailOut: {
    rule: {
      severity: 'ticket',
      expr: 'sum(increase(milaan_notices_total{outcome="failed"}[30m]))',
      above: 2,
      and: 'sum(increase(milaan_notices_total{outcome="sent"}[30m])) == 0',
    },
    message: 'Mails to owners that failed in half an hour: {count}, and none was accepted.',
    meaning:
      'Mails to owners fail, and the mail server accepted none for half an hour. Owners do not hear about unreadable mailboxes and failing webhooks.',
    whatToDo: 'Run `milaan doctor`, line _mail out_, and correct `SMTP_URL`.',
  },
  MilaanPushesFail: {
    rule: {
      severity: 'ticket',
      expr: 'sum(increase(milaan_pushes_total{outcome=~"failed|given_up"}[30m]))',
      above: 2,
      and: 'sum(increase(milaan_pushes_total{outcome="sent"}[30m])) == 0',
    },
    message: 'Notices to devices that failed in half an hour: {count}, and none was accepted.',
    meaning:
      "Notices to people's devices fail, and none was accepted for half an hour. Owners hear about payments and problems only by mail and on the dashboard.",
    whatToDo:
      "Run `milaan doctor`, line _push_. Let https out to the browsers' push services. If `PUSH_KEY` was changed, put the older one back, or every device has to be added again.",
  },
  MilaanClockWrong: {
    rule: { severity: 'page', for: '1m', expr: 'abs(milaan_clock_skew_seconds)', above: 10 },
    message: 'The clock of {process} differs from the database’s by {time}.',
    meaning:
      "The machine's clock differs from the database's by more than ten seconds. Above a minute no orders are created.",
    whatToDo: 'Run `timedatectl` and `chronyc tracking`. Set the clocks before you restart anything.',
  },
  MilaanClockSet: {
    rule: { severity: 'page', for: '1m', expr: 'milaan_clock_jump_seconds != 0' },
    message: 'The clocks of machine and database were set together by {time}. No orders are created.',
    meaning:
      'Somebody changed the clocks of machine and database together. No orders are created until this is settled, at most twenty minutes. Payments are confirmed as before.',
    whatToDo:
      'Compare with a clock you trust. If the clocks are right now, wait: Milaan accepts them after twenty minutes. If they are wrong, set them back, and orders are created again at once. Do not restart any process until then. [When a clock is set](monitor.md#when-a-clock-is-set) has the rest.',
  },
  MilaanBackupOld: {
    rule: { severity: 'ticket', expr: 'max(milaan_routine_age_seconds{routine="backup"})', above: 129600 },
    message: 'No backup for {time}.',
    meaning:
      'No backup succeeded for a day and a half. If the database is lost now, so is everything after the last good backup.',
    whatToDo:
      'Run `systemctl status milaan-backup` (without systemd, look at the cron job), then `milaan backup` by hand. It says what fails.',
  },
  MilaanStandbyLag: {
    rule: { severity: 'ticket', for: '5m', expr: 'max by (cell) (milaan_standby_lag_seconds)', above: 60 },
    message: 'The slowest standby is {time} behind{cell}.',
    meaning:
      'A standby has replayed the changes of its database more than a minute late. If the database is lost now, the last payments are missing on the standby, or Patroni does not promote it. With [several databases](cells.md) the label `cell` and `milaan list-cells` say which one.',
    whatToDo:
      'Look at `pg_stat_replication`, and at the disk and the network of the standby. Wait until it has caught up before you switch over to it or move its cell.',
  },
  MilaanVerifyOld: {
    rule: { severity: 'ticket', expr: 'max(milaan_routine_age_seconds{routine="verify"})', above: 129600 },
    message: 'The command verify has not succeeded for {time}.',
    meaning:
      '`verify` did not succeed for a day and a half: its timer does not run, or it fails. A broken rule would go unnoticed.',
    whatToDo: 'Run `systemctl list-timers` (without systemd, look at the cron job), then `milaan verify`.',
  },
  MilaanRoutineFailed: {
    rule: { severity: 'page', expr: 'max by (routine) (milaan_routine_failed)', above: 0 },
    message: 'The last {routine} failed. If it is verify, a rule is broken: look now.',
    meaning:
      'The last backup failed, or `verify` found a broken rule. A broken rule is serious: an order may be marked paid that is not, or the other way round.',
    whatToDo:
      'For a backup, run it by hand. For a broken rule, keep the output and do not change data by hand. If money is still coming in, disable the business that it names. Look at the alert and the order that it names. The fault does not go away by itself.',
  },
  MilaanHistoryOverdue: {
    rule: { severity: 'ticket', for: '30m', expr: 'max(milaan_history_overdue_seconds)', above: 86400 },
    message: 'Data that should have left history is overdue by {time}.',
    meaning:
      "Data that should have left by a plan's `history_days` is still here a day later: orders that were not archived, or mails, events and notices with customers' data. Nothing is lost, but data is kept longer than promised, and the database grows.",
    whatToDo:
      'Look for `a step of history failed` in the log of the processes with the role `deliver`. It names the business and the error, mostly a lock that somebody holds, or a full disk. Without such a line, either no process has that role, or a very large business is leaving and the figure falls by itself.',
  },
  MilaanSlow: {
    rule: {
      severity: 'ticket',
      for: '10m',
      expr: 'nodejs_eventloop_lag_p99_seconds{job="milaan"}',
      above: 0.2,
    },
    message: '{process} is late with its work by {time}.',
    meaning:
      'The process has been late with its work for ten minutes. The machine has too few processors for its load, or something blocks the event loop.',
    whatToDo:
      'Look at the processor load and run each role as its own process. If a process is slow without load, report it with its log.',
  },
} as const satisfies Record<string, Declared>;

type AlarmName = keyof typeof table;
export type ShownAlarm = {
  [Name in AlarmName]: (typeof table)[Name] extends { rulesOnly: true } ? never : Name;
}[AlarmName];
export type AlarmFacts<Name extends ShownAlarm> = {
  [Fact in NamesIn<(typeof table)[Name]['message']>]: Fact extends 'count' | 'time' ? number : string;
};

export const alarms: Readonly<Record<AlarmName, Declared>> = table;
