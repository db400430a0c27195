import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type ChatWords,
  fillTemplate,
  placeholders,
  templateProblem,
} from '../../../src/outbox/chats/send-chat.ts';
import { fc } from '../../support/same-dice.ts';

const words = (text: string) => Object.fromEntries(placeholders.map(name => [name, text])) as ChatWords;

test('whatever a text holds, a template that was taken gives valid JSON with exactly that text', () => {
  const templates = ['{"text":"{text}"}', '{"a":{"b":["{text}"]},"{order}":1}', '"{text}{text}"'];
  for (const template of templates) assert.equal(templateProblem(template), null, template);
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), text => {
      assert.equal(JSON.parse(fillTemplate(templates[0]!, words(text))).text, text);
      assert.equal(JSON.parse(fillTemplate(templates[2]!, words(text))), text + text);
      JSON.parse(fillTemplate(templates[1]!, words(text)));
    }),
  );
  assert.equal(
    JSON.parse(fillTemplate('{"t":"{text}"}', words('","admin":true,"x":"$& {order}'))).t,
    '","admin":true,"x":"$& {order}',
  );
});

test('a template is refused when it names what there is not, or could give something else than JSON', () => {
  assert.equal(templateProblem('{"text":"{payer}"}')?.code, 'template_unknown');
  for (const template of [
    '',
    '{text}',
    '{"a": {amount}}',
    '{"a":"{text}"',
    '{"a":"\\{text}"}',
    '{"a":"\\u004{text}"}',
  ])
    assert.equal(templateProblem(template)?.code, 'template_not_json', template);
});
