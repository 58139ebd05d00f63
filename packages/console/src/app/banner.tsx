/** One line above the page that stays for as long as it is true. */
import type { ReactNode } from "react";

interface BannerProps {
  tone: "info" | "warning" | "danger";
  icon: ReactNode;
  children: ReactNode;
}

export function Banner({ tone, icon, children }: BannerProps) {
  return (
    <div className={`s-banner s-banner-${tone}`}>
      <span aria-hidden="true">{icon}</span>
      {children}
    </div>
  );
}
