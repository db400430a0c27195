import type { matching as english } from '../../en/reasons/matching.ts';
import type { Words } from '../../words.ts';

export const matching: Words<typeof english> = {
  paid: 'ऑर्डर {order} चुका',
  accepted: 'ऑर्डर {order} का भुगतान हुआ: {by} ने यह पैसा उसके लिए माना',
  paid_already: 'ऑर्डर {order} का भुगतान पहले ही हो चुका था; यह मेल उसी रकम की बात एक बार और बताता है',
  declined: 'यह ठीक उतना है जितना ऑर्डर {order} में माँगा गया था, जिसे मना किया जा चुका था।',
  too_late: 'ऑर्डर {order} का समय समाप्त होने के दस मिनट से भी बाद पैसा आया',
  other_account: 'अलर्ट ऐसे खाते का है जो इस UPI ID के लिए दर्ज खाता नहीं है',
  counted_before: 'यह भुगतान पहले के एक मेल से गिना जा चुका है',
  counted_elsewhere: 'यह भुगतान यहाँ के एक और व्यवसाय के लिए गिना जा चुका है, जिसका खाता यही है या जिसे यही मेल मिला',
  near_amounts: 'ठीक इस रकम का कोई ऑर्डर नहीं; कुछ इसके क़रीब हैं',
  no_such_amount: 'उस समय इस रकम का कोई ऑर्डर नहीं था',
  other_bank: 'अलर्ट {alert} का है, पर आपका UPI खाता {account} में है',
  no_bank: 'आपके UPI खाते में उसका बैंक अभी दर्ज नहीं है; “UPI खाते” में बैंक चुनें, तभी अलर्ट गिने जाएँगे',
  no_digits: 'अलर्ट खाते …{digits} का है, और आपके UPI खाते के अंक दर्ज नहीं हैं',
  unknown_payer: 'अज्ञात व्यक्ति',
};
