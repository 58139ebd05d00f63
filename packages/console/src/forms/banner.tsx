import { Button } from "antd";
import type { ReactNode } from "react";
import { useEffect, useId, useRef, useState } from "react";
import { useTranslation } from "react-i18next";

interface BannerProps {
  tone: "info" | "warning" | "danger";
  icon: ReactNode;
  children: ReactNode;
  action?: ReactNode;
}

/** Returns whether the text has more lines than are shown. */
function useIsCut(isWhole: boolean) {
  const text = useRef<HTMLDivElement>(null);
  const [isCut, setIsCut] = useState(false);
  useEffect(() => {
    const { current } = text;
    if (current === null || isWhole) {
      return;
    }
    const measure = () => setIsCut(current.scrollHeight > current.clientHeight + 1);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(current);
    return () => observer.disconnect();
  }, [isWhole]);
  return { text, isCut };
}

/** Notice above every page. It shows one or two lines; a button opens the rest. */
export function Banner({ tone, icon, children, action }: BannerProps) {
  const { t } = useTranslation("app");
  const id = useId();
  const [isWhole, setIsWhole] = useState(false);
  const { text, isCut } = useIsCut(isWhole);
  return (
    <div className={`s-banner s-banner-${tone}`}>
      <span aria-hidden="true">{icon}</span>
      <div
        ref={text}
        id={id}
        className={isWhole ? "s-banner-text" : "s-banner-text s-banner-short"}
      >
        {children}
      </div>
      {(isCut || isWhole) && (
        <Button
          type="text"
          size="small"
          className="s-banner-more"
          aria-expanded={isWhole}
          aria-controls={id}
          onClick={() => setIsWhole(!isWhole)}
        >
          {t(isWhole ? "banner_less" : "banner_more")}
        </Button>
      )}
      {action}
    </div>
  );
}
