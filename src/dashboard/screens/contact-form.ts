import { type Contact, selectContact, setContact } from '../../accounts/queries/businesses.ts';
import { type Html, html } from '../../http/html.ts';
import { longestMailAddress, parseMailAddress } from '../../network/parse-mail-address.ts';
import { because } from '../../verdicts.ts';
import type { World } from '../../world.ts';
import { field, postForm } from '../components/controls.ts';
import { card, facts } from '../components/parts.ts';
import { readPhone } from '../read-phone.ts';
import { recordChange } from '../record-change.ts';
import type { Visit } from '../route.ts';

const longestNumber = 30;

/** How customers reach the shop: shown to everybody who may look, and a form for whoever may change it. */
export async function contactCard({ sql }: Pick<World, 'sql'>, visit: Visit): Promise<Html> {
  const { texts, merchantId, form, may } = visit;
  const words = texts.business;
  const contact = await selectContact(sql, merchantId);
  const title = { title: words.contactTitle };
  if (!may('business.change')) {
    return card(
      facts([
        [words.contactPhone, contact.contact_phone ?? words.contactNone],
        [words.contactWhatsapp, contact.contact_whatsapp ?? words.contactNone],
        [words.contactEmail, contact.contact_email ?? words.contactNone],
      ]),
      title,
    );
  }
  const given = form.has('phone') ? readContact(visit) : null;
  const shown = (name: string, stored: string | null) => (given ? form.text(name) : (stored ?? ''));
  const fields = html`${field({
    name: 'phone',
    label: words.contactPhone,
    hint: words.contactPhoneHint,
    value: shown('phone', contact.contact_phone),
    autocomplete: 'off',
    maxlength: longestNumber,
    error: given?.wrong.phone ? words.contactPhoneWrong : undefined,
  })}
${field({
  name: 'whatsapp',
  label: words.contactWhatsapp,
  hint: words.contactWhatsappHint,
  value: shown('whatsapp', contact.contact_whatsapp),
  autocomplete: 'off',
  maxlength: longestNumber,
  error: given?.wrong.whatsapp ? words.contactWhatsappWrong : undefined,
})}
${field({
  name: 'email',
  label: words.contactEmail,
  value: shown('email', contact.contact_email),
  autocomplete: 'off',
  inputmode: 'email',
  maxlength: longestMailAddress,
  error: given?.wrong.email ? words.contactEmailWrong : undefined,
})}`;
  return card(
    html`<p class="quiet">${words.contactText}</p>
${postForm({ action: '/dashboard/settings/contact', fields, submit: texts.shell.save })}`,
    title,
  );
}

/** False when something of it cannot be used; then nothing is saved. */
export async function saveContact({ sql }: Pick<World, 'sql'>, visit: Visit): Promise<boolean> {
  const { contact, wrong } = readContact(visit);
  if (wrong.phone || wrong.whatsapp || wrong.email) return false;
  const said = [contact.contact_phone, contact.contact_whatsapp, contact.contact_email].filter(Boolean);
  await sql.begin(async tx => {
    await setContact(tx, visit.merchantId, contact);
    // Told to the owner: a number of somebody else's would send customers, and their complaints, to them.
    const notice =
      said.length > 0 ? because('contact_changed', { contact: said.join(', ') }) : because('contact_removed');
    await recordChange(tx, visit, { action: 'business.contact', subject: said.join(', '), notice });
  });
  return true;
}

/** An empty field takes the way away. */
function readContact({ form }: Visit): {
  contact: Contact;
  wrong: { phone: boolean; whatsapp: boolean; email: boolean };
} {
  const [phone, whatsapp, email] = [form.text('phone'), form.text('whatsapp'), form.text('email')].map(text =>
    text.trim(),
  );
  const contact = {
    contact_phone: readPhone(phone!),
    contact_whatsapp: internationalOnly(readPhone(whatsapp!)),
    contact_email: parseMailAddress(email!),
  };
  return {
    contact,
    wrong: {
      phone: phone !== '' && contact.contact_phone === null,
      whatsapp: whatsapp !== '' && contact.contact_whatsapp === null,
      email: email !== '' && contact.contact_email === null,
    },
  };
}

/** A chat is opened by the number with its country code. */
function internationalOnly(number: string | null): string | null {
  return number?.startsWith('+') ? number : null;
}
