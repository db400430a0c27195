import { cancelDeletion, requestDeletion } from '../../accounts/delete-business.ts';
import { because } from '../../verdicts.ts';
import { confirmPage, field } from '../components/controls.ts';
import { recordChange } from '../record-change.ts';
import { type Answer, fresh, get, post, redirect, type Visit } from '../route.ts';

export const deleteBusinessRoutes = [
  get('/dashboard/settings/delete', fresh('business.delete'), async (_world, visit) => deletePage(visit)),
  post('/dashboard/settings/delete', fresh('business.delete'), async ({ sql }, visit) => {
    const { merchantId, form, texts, business, now } = visit;
    if (form.text('name') !== business.name.trim())
      return deletePage(visit, texts.business.deleteNameWrong, 400);
    await sql.begin(async tx => {
      if (!(await requestDeletion(tx, merchantId, now))) return;
      await recordChange(tx, visit, {
        action: 'business.delete',
        subject: business.name,
        notice: because('deletion_asked'),
      });
    });
    return redirect('/dashboard/settings', texts.business.deleteAsked);
  }),
  post('/dashboard/settings/delete/cancel', 'business.delete', async ({ sql }, visit) => {
    const { merchantId, texts, business, now } = visit;
    const cancelled = await sql.begin(async tx => {
      if (!(await cancelDeletion(tx, merchantId, now))) return false;
      await recordChange(tx, visit, {
        action: 'business.delete_cancel',
        subject: business.name,
        notice: because('deletion_cancelled'),
      });
      return true;
    });
    return redirect(
      '/dashboard/settings',
      cancelled ? texts.business.deleteCancelled : texts.business.deleteTooLate,
    );
  }),
];

function deletePage({ texts, business: { name } }: Visit, error?: string, status = 200): Answer {
  const { business } = texts;
  const title = business.deleteConfirmTitle(name);
  return confirmPage({
    title,
    consequences: business.deleteConsequences,
    action: '/dashboard/settings/delete',
    submit: business.deleteNow,
    cancel: { href: '/dashboard/settings', text: business.cancel },
    fields: [
      field({
        name: 'name',
        label: business.deleteTypeName(name),
        autocomplete: 'off',
        required: true,
        error,
      }),
    ],
    status,
  });
}
