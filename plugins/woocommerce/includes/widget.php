<?php

namespace Milaan\Woo;

defined('ABSPATH') || exit;

/** The page after the checkout, on which the customer pays without leaving the shop. */
function show_widget($order_id): void
{
    $order = wc_get_order($order_id);
    $connection = connection(mode());
    if (!$order || $connection === null) {
        return;
    }
    $create = add_query_arg(['wc-api' => METHOD . '_pay', 'order' => $order->get_id(), 'key' => $order->get_order_key()], home_url('/'));
    wp_enqueue_script('milaan-widget', $connection['base_url'] . '/embed/milaan.js', [], null, true);
    wp_enqueue_script('milaan-embed', plugins_url('assets/embed.js', PLUGIN_FILE), ['milaan-widget'], VERSION, true);
    printf(
        '<div id="milaan-upi" data-create="%s" data-amount="%s" data-done="%s"></div><noscript>%s</noscript>',
        esc_url($create),
        esc_attr(wc_format_decimal($order->get_total(), 2)),
        esc_url($order->get_checkout_order_received_url()),
        esc_html__('Please switch on JavaScript to pay here.', 'milaan-upi')
    );
}

/** The widget's request for an order. The amount is the order's own, whatever the browser sends. */
function answer_widget(): void
{
    $order = wc_get_order(absint($_GET['order'] ?? 0));
    $key = (string) wc_clean(wp_unslash($_GET['key'] ?? ''));
    $may = ($_SERVER['REQUEST_METHOD'] ?? '') === 'POST' && $order instanceof \WC_Order && $key !== '' && $order->key_is_valid($key)
        && $order->get_payment_method() === METHOD;
    if (!$may || !may_pay_in(mode())) {
        wp_send_json(['error' => 'not_found'], 404);
    }
    try {
        $created = start_payment($order->get_id());
    } catch (CannotPay $problem) {
        wp_send_json(['error' => 'unavailable', 'message' => $problem->getMessage()], 503);
    } catch (LockBusy $busy) {
        wp_send_json(['error' => 'unavailable'], 503);
    }
    if ($created === null) {
        wp_send_json(['error' => 'already_paid'], 409);
    }
    wp_send_json($created, 200);
}
