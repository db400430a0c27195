import { alarms } from '../src/operator/alarms.ts';
import { table } from './banks-page.ts';

export const alarmRules = Object.entries(alarms).map(([name, { rule, ...texts }]) => {
  const { above, and } = rule;
  const compared = above === undefined ? rule.expr : `${rule.expr} > ${above}`;
  return { ...rule, ...texts, name, id: name.toLowerCase(), expr: and ? `${compared} and ${and}` : compared };
});

/** Prometheus's name for each fact of a message. */
const values: Readonly<Record<string, string>> = {
  count: '{{ $value | printf `%.0f` }}',
  time: '{{ $value | humanizeDuration }}',
  process: '{{ $labels.instance }}',
  bank: '{{ $labels.bank }}',
  routine: '{{ $labels.routine }}',
  cell: '{{ if $labels.cell }}, cell {{ $labels.cell }}{{ end }}',
};

/** packaging/prometheus/milaan.rules.yml, as src/operator/alarms.ts declares it; `npm run docs` writes it. */
export function rulesFile(): string {
  const rules = alarmRules.map(one => {
    const summary = one.message.replace(/\{(\w+)\}/g, (_, name: string) => values[name]!);
    return `      - alert: ${one.name}
        expr: ${one.expr}
${one.for ? `        for: ${one.for}\n` : ''}        labels: { severity: ${one.severity} }
        annotations:
          summary: ${JSON.stringify(summary)}
          runbook_url: "{{ $externalLabels.milaan }}/docs/alarms#${one.id}"
`;
  });
  return `# Milaan's alarms for Prometheus, written by \`npm run docs\`. docs/alarms.md has a heading for each: what it means, what
# to do. Scrape every process (web, mail, deliver, receive) with METRICS_TOKEN as bearer token, under the job name
# "milaan". The external label "milaan" is the installation's address, with which each alarm's link begins.
groups:
  - name: milaan
    rules:
${rules.join('')}`;
}

/** docs/alarms.md, from the same table. */
export function alarmsPage(): string {
  const rows = alarmRules.map(({ name, id, message, severity }) => [
    `[${name}](#${id})`,
    message.replace('{cell}', '').replace(/\{(\w+)\}/g, '_$1_'),
    severity,
  ]);
  const sections = alarmRules.map(
    ({ name, meaning, whatToDo }) => `## ${name}\n\n${meaning}\n\n**What to do.** ${whatToDo}\n`,
  );
  return `# Alarms

This page says what each alarm means and what to do about it. Start with \`milaan doctor\` whenever one fires.

| file                                    | what it is              |
| --------------------------------------- | ----------------------- |
| \`packaging/prometheus/milaan.rules.yml\` | rules for Prometheus    |
| \`packaging/grafana/milaan.json\`         | a dashboard for Grafana |

The Debian package has them in \`/usr/lib/milaan/packaging/\`. If the service itself is down, read this page as the file \`/usr/lib/milaan/docs/alarms.md\`.

\`\`\`yaml
# prometheus.yml
global:
  external_labels: { milaan: "https://pay.example.in" } # each alarm links to its heading below this address
rule_files: [/usr/lib/milaan/packaging/prometheus/milaan.rules.yml]
scrape_configs:
  - job_name: milaan
    scrape_interval: 15s
    authorization: { credentials: "METRICS_TOKEN of milaan.env" }
    static_configs: [{ targets: ["127.0.0.1:8080"] }] # one for each process
\`\`\`

\`severity="page"\` wakes somebody. \`severity="ticket"\` waits until the morning.

The operator’s Health screen shows the same messages without Prometheus, those that wake somebody first. Every process writes its own figures into the database every 15 seconds. The screen lacks only \`MilaanNotReady\`, because it needs a database that takes writes.

Each rule has been seen to fire. \`npm run drill -- alarms\` breaks one real thing after another, reads the real \`/metrics\`, and asks Debian's \`promtool\` whether the rule fires.

${table(['alarm', 'message', 'severity'], rows)}

${sections.join('\n')}`;
}
