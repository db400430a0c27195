import type { Html } from '../../base/http/html.ts';
import { userRoles } from '../../outbox/topics.ts';
import type { Texts } from '../../texts/languages.ts';
import { radioField } from '../frame/controls.ts';

export function roleField({ shell, business }: Texts, value: string, error?: string): Html {
  return radioField('role', business.role, {
    value,
    error,
    choices: userRoles.map(role => ({
      value: role,
      text: shell.roles[role],
      hint: business.roleMeanings[role],
    })),
  });
}
