-- Options in a record of their own, and they and the fields of the editable form under the names that they have on the wire.
UPDATE consignment SET document = json_remove(
    json_set(document, '$.job.options', json_object(
        'specialInstructions', document -> '$.job.special_instructions',
        'questionIds', document -> '$.job.question_ids',
        'receiverAccountCode', document -> '$.job.receiver_account',
        'receiverAccountId', document -> '$.job.receiver_account_id',
        'sendingTrackingEmail', document -> '$.job.sending_tracking_email',
        'printerToken', document -> '$.job.printer_token',
        'customValues', (SELECT json_group_array(json_object('propertyName', value -> '$.property_name',
            'value', value -> '$.value')) FROM json_each(document, '$.job.custom_values')),
        'staffMemberName', document -> '$.job.staff_member_name'),
    '$.office', json_object(
        'costCentreCode', document -> '$.office.cost_centre_code',
        'handlingNotes', document -> '$.office.handling_notes',
        'deliveryWindow', json(CASE json_type(document, '$.office.delivery_window') WHEN 'array' THEN json_object(
            'opensLocal', document -> '$.office.delivery_window[0]',
            'closesLocal', document -> '$.office.delivery_window[1]') END))),
    '$.job.special_instructions', '$.job.question_ids', '$.job.receiver_account', '$.job.receiver_account_id',
    '$.job.sending_tracking_email', '$.job.printer_token', '$.job.custom_values', '$.job.staff_member_name');
