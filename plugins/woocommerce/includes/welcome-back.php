<?php

namespace Milaan\Woo;

use Milaan\MilaanError;

defined('ABSPATH') || exit;

/**
 * The customer returns from the payment page. The return address proves nothing, so Milaan is asked before the page
 * says anything. If a webhook is still on its way, this answer settles the payment.
 */
function welcome_back(): void
{
    $id = isset($_GET['merchant_order_id']) ? sanitize_text_field(wp_unslash($_GET['merchant_order_id'])) : '';
    $order = order_on_page();
    $attempt = $order ? (attempts_of($order)[$id] ?? null) : null;
    if ($attempt === null) {
        return;
    }
    $status = ask_once($order, $id, $attempt);
    $order = wc_get_order($order->get_id());
    if (is_order_received_page()) {
        return;
    }
    if (!$order->needs_payment()) {
        wp_safe_redirect($order->get_checkout_order_received_url());
        exit;
    }
    if ($status === 'expired') {
        wc_add_notice(__('The time to pay ran out. If you have paid already, please do not pay again: your payment is still counted for ten minutes, and this order changes by itself. Otherwise you can pay now with a new QR code.', 'milaan-upi'), 'notice');
    }
}

/** The order on this page, if its key is in the address. */
function order_on_page(): ?\WC_Order
{
    if (!is_order_received_page() && !is_checkout_pay_page()) {
        return null;
    }
    $key = isset($_GET['key']) ? wc_clean(wp_unslash($_GET['key'])) : '';
    $order = wc_get_order(absint(get_query_var('order-received') ?: get_query_var('order-pay')));
    return $order instanceof \WC_Order && $key !== '' && $order->key_is_valid($key) && $order->get_payment_method() === METHOD ? $order : null;
}

/** Milaan's present state for one attempt; without an answer, our own. */
function ask_once(\WC_Order $order, string $id, array $attempt): string
{
    $connection = connection($attempt['mode']);
    if ($connection === null || $attempt['order_id'] === null || $attempt['told'] === 'paid') {
        return $attempt['told'];
    }
    try {
        $news = client($connection, 0)->getOrder($attempt['order_id']);
        take_news($news, $attempt['mode']);
        return (string) $news['status'];
    } catch (MilaanError $error) {
        log_line('warning', "attempt $id could not be asked for: {$error->code}");
    } catch (LockBusy $busy) {
        log_line('notice', "attempt $id is being settled by somebody else");
    }
    return $attempt['told'];
}

function thank_you_text($text, $order)
{
    if (!$order instanceof \WC_Order || $order->get_payment_method() !== METHOD || $order->is_paid()) {
        return $text;
    }
    if ($order->has_status('on-hold')) {
        return esc_html__('Thank you. The shop is looking at your payment and will write to you.', 'milaan-upi');
    }
    return esc_html__('Thank you. Your payment is not confirmed yet; the bank\'s mail may take some minutes. You need not do anything: the shop will write to you.', 'milaan-upi');
}
