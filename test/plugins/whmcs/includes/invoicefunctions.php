<?php
/** Adds a transaction whatever the sum; a paid invoice is one whose transactions reach its total, the rest is credit. */

function addInvoicePayment($id, string $transaction, $amount, $fee, string $gateway): void
{
    // As long as mails and modules take: whoever looked for the transaction before is not looking any more.
    usleep(60000);
    Books::with(function (array &$books) use ($id, $transaction, $amount, $gateway): void {
        if (!empty($books['fails'])) {
            return;
        }
        $invoice = &$books['invoices'][$id];
        $invoice['transactions'][] = ['transid' => $transaction, 'amountin' => (float) $amount, 'gateway' => $gateway];
        $over = round(array_sum(array_column($invoice['transactions'], 'amountin')) - $invoice['total'], 2);
        if ($over >= 0) {
            $invoice['status'] = 'Paid';
            $books['clients'][$invoice['userid']]['credit'] = $over;
        }
    });
}
