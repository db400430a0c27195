import type { Page } from 'playwright-core';
import { until } from './until.ts';

/**
 * Counts the questions whose answer the page has not read yet. One is over in a task of its own, when the page has done
 * all that follows from its answer, such as setting its next timer.
 */
const countQuestions = `
  globalThis.questions = 0;
  const ask = globalThis.fetch;
  const over = () => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => { questions--; port1.close(); };
    port2.postMessage(null);
  };
  globalThis.fetch = async (...asked) => {
    questions++;
    try {
      const answer = await ask(...asked);
      const read = answer.json.bind(answer);
      answer.json = () => read().finally(over);
      return answer;
    } catch (error) {
      over();
      throw error;
    }
  };`;

/** A clock that the test moves. Its page asks by fetch and reads JSON. */
export async function installClock(page: Page, ...options: Parameters<Page['clock']['install']>) {
  await page.addInitScript({ content: countQuestions });
  await page.clock.install(...options);
}

/**
 * To be awaited before the clock is moved because of something that was seen at the server: the server counts a question
 * before the page has read its answer. A clock that moves then gives the question up, or a timer is set too late.
 */
export async function answersRead(page: Page): Promise<void> {
  await until('the page has read its answers', async () => (await page.evaluate('questions')) === 0);
}
