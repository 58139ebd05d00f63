import { Form } from "antd";
import type { FormItemProps } from "antd";
import { useTranslation } from "react-i18next";
import type { FIELD_LABELS } from "@red/contract/pools/field-labels";

interface FieldItemProps extends Omit<FormItemProps, "label"> {
  name: keyof (typeof FIELD_LABELS)["zh"];
}

/** Form item whose label is the field name that error messages use. */
export function FieldItem(props: FieldItemProps) {
  const { t } = useTranslation("fields");
  return <Form.Item label={t(props.name)} {...props} />;
}
