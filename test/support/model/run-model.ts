import assert from 'node:assert/strict';
import fc from 'fast-check';
import { alertRules } from '../../../src/alerts/alert-rules.ts';
import { findBreaches } from '../../../src/operator/verify.ts';
import type { ModelCommand } from './command.ts';
import { claim, ofDay, onTrial } from './commands/claims.ts';
import { copy, race } from './commands/copies.ts';
import { burst, create, refusedCreate, replay, reuse } from './commands/create.ts';
import { crash, lateKey, slowJudge, toggle } from './commands/faults.ts';
import { forged, otherBank, wrongAccount, wrongAmount, wrongRecipient } from './commands/no-pay.ts';
import { pay, payAt, payBlindly, payTwice, payWall, sameReference } from './commands/pay.ts';
import { decide, holdNearMisses, nearMiss } from './commands/review.ts';
import { changePlan, chooseDefault, countOrderless, removeAccount, setCeiling } from './commands/settings.ts';
import { advance, advanceTo } from './commands/time.ts';
import { modelBanks } from './letter.ts';
import { Model } from './model.ts';
import { type Installation, openInstallation } from './real.ts';

export type ModelOptions = {
  runs: number;
  seed: number;
  /** From a failure: which case, and which of its steps were played. */
  path?: string;
  replay?: string;
  /** Ends a long search, and keeps what was found until then. */
  timeLimit?: number;
};

/** Repetition is weight: without orders and time nothing else has anything to do. */
const steps = [
  ...[create, create, create, burst, burst, reuse, reuse, replay, refusedCreate],
  ...[pay, pay, payAt, payAt, payTwice, payBlindly, payBlindly, sameReference, copy, copy, race],
  ...[wrongAmount, wrongAccount, otherBank, wrongRecipient, forged],
  ...[advance, advance, advanceTo, advanceTo],
  ...[crash, crash, slowJudge, lateKey, toggle],
  ...[holdNearMisses, nearMiss, nearMiss, decide, decide, decide, decide],
  ...[claim, claim, claim, ofDay, ofDay, onTrial, onTrial, onTrial, onTrial],
  ...[changePlan, chooseDefault, removeAccount, setCeiling, setCeiling],
  ...[countOrderless, countOrderless, countOrderless, payWall, payWall, payWall],
];

/** Plays random histories against the service and the model. Null when they agree; else what to read and replay. */
export async function runModel({
  runs,
  seed,
  path,
  replay: replayPath,
  timeLimit,
}: ModelOptions): Promise<{ played: number; failure: string | null }> {
  const installation = await openInstallation();
  let playing: Promise<void> = Promise.resolve();
  try {
    const histories = fc.commands(steps, {
      maxCommands: 30,
      size: 'max',
      ...(replayPath !== undefined && { replayPath }),
    });
    const property = fc.asyncProperty(histories, history => {
      playing = play(installation, history);
      return playing;
    });
    const details = await fc.check(property, {
      numRuns: runs,
      seed,
      ...(path !== undefined && { path }),
      ...(timeLimit !== undefined && { interruptAfterTimeLimit: timeLimit }),
    });
    const played = details.numRuns;
    if (details.failed) return { played, failure: inWords(details, runs) };
    // The time limit ends the search before the last history ends, so wait for its result here.
    const last = await playing.then(
      () => null,
      (error: Error) => `${error.stack}\n${again(runs, seed, String(played))}`,
    );
    if (last !== null) return { played, failure: last };
    return { played, failure: null };
  } finally {
    await playing.catch(() => {});
    await installation.stop();
  }
}

async function play(installation: Installation, history: Iterable<ModelCommand>): Promise<void> {
  const real = await installation.begin();
  const model = new Model(real.api.world.clock.now().getTime());
  await fc.asyncModelRun(() => ({ model, real }), history);
  // The amounts near a wide one are held by nobody here, where `verify` looks for orders; the model looks itself.
  const breaches = await findBreaches(real.api.world);
  assert.deepEqual(
    breaches.filter(line => !/^R6: \S+ has an offset of \d+ while only/.test(line)),
    [],
  );
  for (const { breaches } of alertRules(modelBanks()))
    assert.deepEqual(await breaches(real.api.world.sql), []);
}

function inWords(details: fc.RunDetails<[Iterable<ModelCommand>]>, runs: number): string {
  const found = String(details.counterexample?.[0] ?? '');
  const replay = /replayPath="([^"]*)"/.exec(found)?.[1] ?? '';
  return [
    `the service and the model disagree after: ${found}`,
    String(details.errorInstance instanceof Error ? details.errorInstance.stack : details.errorInstance),
    again(runs, details.seed, `${details.counterexamplePath} --replay ${replay}`),
  ].join('\n');
}

function again(runs: number, seed: number, path: string): string {
  return `again: npm run drill -- model --runs ${runs} --seed ${seed} --path ${path}`;
}
