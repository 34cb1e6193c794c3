# Writes blandAltman.json beside this file: the references of test/metrics/blandAltman.test.ts and
# agreement/quantiles.test.ts. Run: Rscript test/reference/blandAltman.R     (R packages jsonlite)
#
# Made-up measurements. One row each: t.test for the bias, qt with a noncentrality for the limits (Carkeet 2015). Several
# rows: between and within variances by tapply, qchisq, and MOVER as Zou 2013 has it, with t in the place of z for the
# bias. In the balanced case the variance is also that of aov's mean squares, as Bland & Altman 2007 have it.
here <- dirname(sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE)))
set.seed(86)
limits <- function(est, lower, upper) list(estimate = est, lower = lower, upper = upper)
single <- function(d, level, agreement) {
  n <- length(d); z <- qnorm((1 + agreement) / 2); t <- t.test(d, conf.level = level)
  k <- qt(c((1 - level) / 2, (1 + level) / 2), n - 1, ncp = z * sqrt(n)) / sqrt(n) * sd(d); m <- mean(d)
  list(bias = limits(m, t$conf.int[1], t$conf.int[2]), lowerLimit = limits(m - z * sd(d), m - k[2], m - k[1]),
    upperLimit = limits(m + z * sd(d), m + k[1], m + k[2]), sd = sd(d))
}
several <- function(d, g, level, agreement) {
  m <- tapply(d, g, length); means <- tapply(d, g, mean); n <- length(m); N <- length(d); a <- (1 - level) / 2
  mh <- n / sum(1 / m); within <- sum((d - means[as.character(g)])^2) / (N - n); between <- var(means)
  total <- between + (1 - 1 / mh) * within; z <- qnorm((1 + agreement) / 2)
  l <- total - sqrt((between * (1 - (n - 1) / qchisq(1 - a, n - 1)))^2 + ((1 - 1 / mh) * within * (1 - (N - n) / qchisq(1 - a, N - n)))^2)
  u <- total + sqrt((between * ((n - 1) / qchisq(a, n - 1) - 1))^2 + ((1 - 1 / mh) * within * ((N - n) / qchisq(a, N - n) - 1))^2)
  half <- qt(1 - a, n - 1) * sqrt(between / n); mid <- mean(means); s <- sqrt(total)
  lower <- sqrt(half^2 + z^2 * (s - sqrt(l))^2); upper <- sqrt(half^2 + z^2 * (sqrt(u) - s)^2)
  list(bias = limits(mid, mid - half, mid + half), lowerLimit = limits(mid - z * s, mid - z * s - upper, mid - z * s + lower),
    upperLimit = limits(mid + z * s, mid + z * s - lower, mid + z * s + upper), sd = s, withinSd = sqrt(within))
}
truth <- runif(40, 20, 200); a <- round(truth + rnorm(40, 2, 6), 1); b <- round(truth + rnorm(40, 0, 6), 1)
g <- rep(1:24, times = sample(1:5, 24, TRUE)); u <- rnorm(24, 1, 4); level <- runif(24, 50, 150)
ca <- round(level[g] + u[g] + rnorm(length(g), 0, 3), 1); cb <- round(level[g] + rnorm(length(g), 0, 3), 1)
even <- rep(1:15, each = 4); v <- rnorm(15, -1, 2); ea <- round(60 + v[even] + rnorm(60, 0, 3), 1); eb <- round(60 + rnorm(60, 0, 3), 1)
ms <- summary(aov(ea - eb ~ factor(even)))[[1]][["Mean Sq"]]
chi <- lapply(list(c(.025, 9), c(.975, 9), c(.025, 1), c(.5, 40), c(.995, 300), c(.0005, 25), c(.95, 5000)), function(x) c(x, qchisq(x[1], x[2])))
nct <- lapply(list(c(.025, 9, 6.2), c(.975, 9, 6.2), c(.05, 16, 8.08), c(.95, 99, 19.6), c(.005, 30, 0), c(.975, 2, 3.4), c(.5, 200, 27)),
  function(x) c(x, qt(x[1], x[2], ncp = x[3])))
versions <- list(R = paste(R.version$major, R.version$minor, sep = "."))
write(jsonlite::toJSON(list(versions = versions, single = list(a = a, b = b, difference = single(a - b, .95, .95), narrow = single(a - b, .9, .8), ratio = single(log(a) - log(b), .95, .95)),
  several = list(a = ca, b = cb, groups = g, difference = several(ca - cb, g, .95, .95), ratio = several(log(ca) - log(cb), g, .9, .9)),
  balanced = list(a = ea, b = eb, groups = even, difference = several(ea - eb, even, .95, .95), variance = (ms[1] - ms[2]) / 4 + ms[2]),
  chiSquared = chi, noncentralT = nct), auto_unbox = TRUE, digits = NA), file.path(here, "blandAltman.json"))
