import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { type ClientProgram, startClients } from './client-programs.ts';
import { needs } from './needs.ts';
import { newSampleProject, type SampleProject } from './sample-project.ts';

export type EveryClient = {
  /** One test for each client, and one row for them all in the table of docs/clients.md. */
  everywhere(row: string, play: (client: ClientProgram) => Promise<void>): void;
  /** The section's table has exactly these rows. Call it last. */
  tabled(section: string): void;
};

/** The same questions to the clients of every language. */
export function everyClient(): EveryClient {
  let project: SampleProject;
  let programs: ClientProgram[];
  const rows: string[] = [];
  before(() => {
    project = newSampleProject();
    programs = startClients(project);
  });
  after(() => {
    for (const program of programs) program.stop();
    project.stop();
  });
  return {
    everywhere(row, play) {
      rows.push(row);
      for (const language of ['TypeScript', 'JavaScript', 'PHP', 'PHP without curl', 'Python']) {
        needsOf(language).test(`${language}: ${row}`, async () => {
          const client = programs.find(one => one.language === language);
          assert.ok(client);
          await play(client);
        });
      }
    },
    tabled(section) {
      test(`the table "${section}" of docs/clients.md has a row for everything that is asked here`, () => {
        const page = readFileSync('docs/clients.md', 'utf8');
        const part = page.split(/^#+ /m).find(one => one.startsWith(`${section}\n`)) ?? '';
        const inPage = [...part.matchAll(/^\| (.+?) +\| ✓ +\| ✓ +\| ✓ +\| ✓ +\|$/gm)].map(([, row]) => row);
        assert.deepEqual(inPage, rows);
      });
    },
  };
}

function needsOf(language: string): ReturnType<typeof needs> {
  return language.startsWith('PHP') ? needs('PHP') : language === 'Python' ? needs('Python') : needs();
}
