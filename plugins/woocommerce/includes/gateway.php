<?php

namespace Milaan\Woo;

defined('ABSPATH') || exit;

/** The gateway for WooCommerce: its settings, when customers can choose it, and where they go. */
class Gateway extends \WC_Payment_Gateway
{
    public function __construct()
    {
        $this->id = METHOD;
        $this->method_title = __('Milaan UPI', 'milaan-upi');
        $this->method_description = __('Customers pay by UPI straight into your own bank account. Milaan confirms each payment by your bank\'s own mail.', 'milaan-upi');
        $this->has_fields = false;
        $this->supports = ['products'];
        $this->form_fields = settings_fields();
        $this->init_settings();
        $this->title = $this->get_option('title');
        $this->description = $this->get_option('description');
        $this->order_button_text = __('Pay by UPI', 'milaan-upi');
        add_action('woocommerce_update_options_payment_gateways_' . $this->id, [$this, 'process_admin_options']);
    }

    public function needs_setup(): bool
    {
        return connection(mode()) === null;
    }

    public function is_available(): bool
    {
        return parent::is_available() && connection(mode()) !== null && get_woocommerce_currency() === 'INR' && may_pay_in(mode());
    }

    public function admin_options(): void
    {
        show_connection();
        parent::admin_options();
    }

    public function process_payment($order_id): array
    {
        try {
            $created = start_payment((int) $order_id);
        } catch (\RuntimeException $caught) {
            $problem = $caught instanceof LockBusy
                ? new CannotPay(__('The payment could not be started. Please try again in a moment.', 'milaan-upi'))
                : $caught;
            // The block checkout shows the exception, the classic one shows notices. WooCommerce's own check looks for
            // /wp-json/ in the address, which a shop with plain permalinks does not have.
            if (defined('REST_REQUEST') && REST_REQUEST) {
                throw $problem;
            }
            wc_add_notice($problem->getMessage(), 'error');
            return ['result' => 'failure'];
        }
        $order = wc_get_order($order_id);
        if ($created === null) {
            return ['result' => 'success', 'redirect' => $this->get_return_url($order)];
        }
        $here = setting('display', 'page') === 'widget';
        return ['result' => 'success', 'redirect' => $here ? $order->get_checkout_payment_url(true) : $created['payment_url']];
    }
}
