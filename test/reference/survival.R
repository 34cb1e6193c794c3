# Writes survival.json beside this file: data made from a seed, and what R makes of them, for test/survival.
# Run: Rscript test/reference/survival.R     (R packages survival, riskRegression, prodlim, jsonlite; all in Debian)
#
# Curves, concordance and Cox fits: survival. Censoring curves and variances of cumulative incidences: prodlim. Brier scores,
# areas and their standard errors: riskRegression::Score. What Score has no weights for is written out
# here, pair by pair, and influences are weight times central difference in that weight.
suppressPackageStartupMessages({ library(survival); library(riskRegression); library(prodlim) })
here <- dirname(sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE)))
set.seed(47)

make <- function(n, competing, censoring, digits, steps) {
  x1 <- round(rnorm(n), 3); x2 <- rbinom(n, 1, .4); x3 <- round(runif(n, -2, 2), 2)
  hazard <- exp(.7 * x1 - .5 * x2)
  t1 <- rexp(n, hazard / 3); t2 <- if (competing) rexp(n, .12) else rep(Inf, n); cens <- rexp(n, censoring)
  time <- pmin(t1, t2, cens); event <- ifelse(time == cens, 0L, ifelse(time == t1, 1L, 2L))
  time <- if (steps > 0) ceiling(time * steps / max(time)) else pmax(round(time, digits), 10^-digits)
  data.frame(time, event, x1, x2, x3, weight = sample(c(.5, 1, 1.25, 2, 3), n, TRUE), stratum = sample(1:3, n, TRUE),
    cluster = sample(seq_len(n %/% 3), n, TRUE), risk = round(x1 - x2 + rnorm(n) / 2, 1))
}
tables <- list(plain = make(120, FALSE, .15, 1, 0), competing = make(150, TRUE, .1, 1, 0), heavy = make(100, FALSE, 1.2, 6, 0), tied = make(60, TRUE, .1, 0, 6))

slopes <- function(f, w) sapply(seq_along(w), function(i) { h <- 1e-5; up <- down <- w; up[i] <- w[i] + h; down[i] <- w[i] - h; w[i] * (f(up) - f(down)) / (2 * h) })
curve <- function(d, w) {
  f <- survfit(Surv(time, event > 0) ~ 1, d, weights = w, conf.type = "log-log", robust = FALSE)
  list(times = f$time, survival = f$surv, atRisk = f$n.risk, events = f$n.event, error = f$std.err, limits = cbind(f$lower, f$upper))
}
# Just before the others of its time, an event is no longer at risk of being censored.
censoringCurve <- function(d, w) { f <- survfit(Surv(ifelse(event > 0, time - 1e-7, time), event == 0) ~ 1, d, weights = w, timefix = FALSE); function(t, before = FALSE) stepfun(f$time, c(1, f$surv), right = before)(t) }
incidence <- function(d, w, cause, at) {
  f <- survfit(Surv(time, factor(event, 0:2)) ~ 1, d, weights = w, influence = TRUE); times <- f$time
  k <- findInterval(at, times)
  list(cause = cause, times = times, incidence = f$pstate[, cause + 1], at = at, influence = w * f$influence.pstate[, k + 1, cause + 1]) # its first time is 0
}
concord <- function(d, w, timewt, tau) {
  call <- list(Surv(d$time, d$event == 1) ~ d$risk, weights = w, timewt = timewt, reverse = TRUE, influence = 1, timefix = FALSE); call$ymax <- tau
  f <- do.call(concordance, call); g <- do.call(concordance, c(call, list(cluster = d$cluster)))
  list(timewt = timewt, tau = tau, value = f$concordance, count = as.list(f$count), dfbeta = f$dfbeta, clusteredVariance = g$var)
}
# Weighted Brier score and area, pair by pair, as formulas.
formulas <- function(d, p, t, cause, fixed = NULL) {
  ipcw <- function(w) { G <- if (is.null(fixed)) censoringCurve(d, w) else fixed; ifelse(d$time > t, 1 / G(t), ifelse(d$event > 0, 1 / G(d$time, TRUE), 0)) }
  case <- d$time <= t & d$event == cause; control <- d$time > t | (d$time <= t & d$event > 0 & d$event != cause)
  list(brier = function(w) sum(w * ipcw(w) * (case - p)^2) / sum(w),
    auc = function(w) { v <- w * ipcw(w); m <- outer(p[case], p[control], ">") + outer(p[case], p[control], "==") / 2; sum(v[case] * (m %*% v[control])) / sum(v[case]) / sum(v[control]) })
}
scores <- function(d, risks, times, cause) {
  ask <- function(conservative) Score(list(m = risks), Hist(time, event) ~ 1, d, times = times, cause = cause, cens.model = "km", se.fit = TRUE, conservative = conservative, summary = "ibs", null.model = FALSE)
  a <- ask(TRUE); b <- ask(FALSE)
  list(brier = a$Brier$score$Brier, ibs = a$Brier$score$IBS, brierError = a$Brier$score$se, brierErrorOwn = b$Brier$score$se, auc = a$AUC$score$AUC, aucError = a$AUC$score$se, aucErrorOwn = b$AUC$score$se)
}
calibration <- function(d, p, w, t, cause, groups) {
  cs <- sort(unique(d$event[d$event > 0])); any <- is.null(cause)
  at <- function(d, w) { # observed, standard error, influence
    if (any) { f <- survfit(Surv(time, event > 0) ~ 1, d, weights = w, robust = FALSE); s <- summary(f, times = t, extend = TRUE); c(1 - s$surv, s$std.err) }
    else { f <- survfit(Surv(time, factor(event, 0:2)) ~ 1, d, weights = w); c(f$pstate[findInterval(t, f$time), cause + 1], NA) }
  }
  f <- if (any) survfit(Surv(time, event > 0) ~ 1, d, weights = w, influence = 1, robust = TRUE) else survfit(Surv(time, factor(event, 0:2)) ~ 1, d, weights = w, influence = TRUE)
  k <- findInterval(t, f$time); inf <- if (any) -f$influence.surv[, k] else w * f$influence.pstate[, k + 1, cause + 1]
  o <- at(d, w)[1]; e <- weighted.mean(p, w); onLog <- w * (inf / w) / o - w * (p / e - 1) / sum(w); z <- qnorm(.975)
  cuts <- c(-Inf, unique(quantile(p, seq_len(groups - 1) / groups)), Inf); part <- cut(p, cuts)
  list(horizon = t, cause = cause, observed = o, expected = e, ratio = o / e, influence = onLog * o / e,
    groups = lapply(split(seq_along(p), part), function(i) { g <- at(d[i, ], rep(1, length(i))); s <- 1 - g[1]; q <- z * g[2] / s / log(s)
      list(predicted = mean(p[i]), observed = g[1], lower = 1 - s^exp(q), upper = 1 - s^exp(-q)) }))
}
cox <- function(d, weighted, stratified, theta) {
  d$use <- if (weighted) d$weight else rep(1, nrow(d)); d$s <- if (stratified) d$stratum else 1L
  rhs <- if (theta > 0) sprintf("ridge(x1, x2, x3, theta = %g, scale = FALSE)", theta) else "x1 + x2 + x3"
  f <- coxph(as.formula(paste("Surv(time, event == 1) ~", rhs, "+ strata(s)")), d, weights = use, ties = "efron", eps = 1e-13, toler.chol = 1e-14, iter.max = 100, outer.max = 50, timefix = FALSE, robust = FALSE)
  beta <- unname(coef(f)); out <- list(weighted = weighted, stratified = stratified, theta = theta, coefficients = beta, covariance = unname(f$var))
  # Likelihood, hazard and residuals at these coefficients, without the penalty.
  g <- coxph(Surv(time, event == 1) ~ x1 + x2 + x3 + strata(s), d, weights = use, init = beta, iter.max = 0, ties = "efron", timefix = FALSE)
  b <- basehaz(g, centered = FALSE); b$strata <- if (is.null(b$strata)) 1 else as.integer(sub(".*=", "", b$strata))
  c(out, list(logLikelihood = c(coxph(Surv(time, event == 1) ~ x1 + x2 + x3 + strata(s), d, weights = use, iter.max = 0, timefix = FALSE)$loglik[1], g$loglik[2]),
    hazard = lapply(split(b, b$strata), function(h) list(times = h$time, hazard = h$hazard)), dfbeta = unname((residuals(g, type = "score", weighted = TRUE) %*% f$var))))
}

results <- lapply(names(tables), function(name) {
  d <- tables[[name]]; n <- nrow(d); ones <- rep(1, n); competing <- any(d$event == 2)
  times <- unname(quantile(d$time[d$event > 0], c(.2, .4, .6, .8), type = 1)); times <- unique(times)
  if (name != "tied") times <- times + c(0, .01, 0, .005)[seq_along(times)]
  lp <- .8 * d$x1 - .4 * d$x2 + .1 * d$x3
  risks <- round(1 - exp(-outer(exp(lp), times / max(times) * .7)), 2) # ties
  mid <- times[2]; cause <- if (competing) 1 else NULL
  both <- list(ones, d$weight)
  G <- prodlim(Hist(time, event > 0) ~ 1, d, reverse = TRUE)
  influences <- lapply(c(fixed = FALSE, own = TRUE), function(own) { f <- formulas(d, risks[, 2], mid, 1, if (!own) censoringCurve(d, d$weight)); list(brier = slopes(f$brier, d$weight), auc = slopes(f$auc, d$weight)) })
  uno <- function(w) { G <- censoringCurve(transform(d, event = as.integer(event == 1)), w); g <- G(d$time, TRUE); num <- den <- 0
    for (i in which(d$event == 1 & d$time <= mid)) { j <- d$time > d$time[i] | (d$time == d$time[i] & d$event != 1); v <- w[i] * w[j] / g[i]^2; den <- den + sum(v); num <- num + sum(v * ((d$risk[i] > d$risk[j]) + (d$risk[i] == d$risk[j]) / 2)) }; num / den }
  fw <- formulas(d, risks[, 2], mid, 1)
  reference <- prodlim(Hist(time, event) ~ 1, d); aj <- if (competing) list(times = reference$time, error = reference$se.cuminc[["1"]])
  # What the partial likelihood of the predictor is above that of none, per event.
  gain <- function(w) { l <- sapply(1:0, function(b) coxph(Surv(time, event == 1) ~ lp, cbind(d, lp), weights = w, init = b, iter.max = 0, timefix = FALSE, robust = FALSE)$loglik[1]); (l[1] - l[2]) / sum(w[d$event == 1]) }
  settings <- data.frame(weighted = c(FALSE, TRUE, TRUE, TRUE), stratified = c(FALSE, FALSE, TRUE, TRUE), theta = c(0, 0, 0, 2.5))
  list(name = name, data = as.list(d), linearPredictor = lp, times = times, risks = risks,
    curves = lapply(both, function(w) curve(d, w)), censoring = list(times = G$time, survival = G$surv), weightedCensoring = censoringCurve(d, d$weight)(times, TRUE),
    incidence = if (competing) lapply(both, function(w) lapply(1:2, function(k) incidence(d, w, k, mid))), incidenceError = aj,
    concordance = lapply(both, function(w) unlist(lapply(c("n", "n/G2"), function(k) list(concord(d, w, k, NULL), concord(d, w, k, mid))), FALSE)), unoOwn = list(tau = mid, value = uno(d$weight), influence = slopes(uno, d$weight)),
    scores = scores(d, risks, times, 1), weightedScores = list(brier = fw$brier(d$weight), auc = fw$auc(d$weight)), influences = influences,
    calibration = lapply(both, function(w) calibration(d, risks[, 2], w, mid, cause, 4)),
    slope = { f <- coxph(Surv(pmin(time, mid), event == 1 & time <= mid) ~ lp, cbind(d, lp), weights = weight, timefix = FALSE, robust = FALSE, eps = 1e-11); list(slope = unname(coef(f)), influence = unname(residuals(f, "dfbeta", weighted = TRUE))) },
    gain = list(value = gain(d$weight), influence = slopes(gain, d$weight)),
    cox = lapply(seq_len(nrow(settings)), function(i) do.call(cox, c(list(d), as.list(settings[i, ])))))
})
versions <- c(list(R = as.character(getRversion())), sapply(c("survival", "riskRegression", "prodlim"), function(p) as.character(packageVersion(p)), simplify = FALSE))
writeLines(jsonlite::toJSON(list(versions = versions, tables = results), auto_unbox = TRUE, digits = NA, na = "null", null = "null"), file.path(here, "survival.json"))
